/** The calls of a deployment's API that the command palette makes. */
import { call, read } from "./call.ts";
import { SUMMARY, threadApi, type ThreadSummary } from "./threads.ts";

/** A search by words covers this many of the newest threads. */
const MOST_THREADS = 1000;
const MOST_ASSISTANTS = 200;

/** The fields of an assistant that the palette lists. */
export interface ListedAssistant {
  readonly assistant_id: string;
  readonly graph_id: string;
  readonly name: string;
  readonly metadata?: { readonly created_by?: unknown } | null;
}

/** Lists assistants by name. Throws a `RequestFailure`. */
export async function listAssistants(base: string): Promise<readonly ListedAssistant[]> {
  const search = { limit: MOST_ASSISTANTS, sort_by: "name", sort_order: "asc" };
  return await read<ListedAssistant[]>(await call("POST", `${base}/assistants/search`, search));
}

/** Lists the newest threads. Throws a `RequestFailure`. */
export async function newestThreads(base: string): Promise<readonly ThreadSummary[]> {
  return (await threadApi(base).search(MOST_THREADS, 0)).threads;
}

/** Finds the thread with this id, however old it is. The list is empty if there is none. Throws a `RequestFailure`. */
export async function threadsById(base: string, id: string): Promise<readonly ThreadSummary[]> {
  return await read<ThreadSummary[]>(await call("POST", `${base}/threads/search`, { ...SUMMARY, ids: [id], limit: 1 }));
}
