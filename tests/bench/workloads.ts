/** The requests that are compared with LangGraph in process, with a bare route, and with another server. */
import { httpClient } from "./http-client.ts";
import { type Measured, measure, SECONDS } from "./measure.ts";
import { lendThreads } from "./turns.ts";

/** The numbers of callers with which each workload is measured. */
export const CALLERS = [1, 20] as const;

/** A number of callers at which a server that mostly waits is busy. */
export const MANY_CALLERS = 200;

export interface Workload {
  name: string;
  graph: "one" | "tokens";
  /** `{thread}` stands for the id of a thread. */
  path: string;
  body: string;
}

const message = { messages: [{ role: "user", content: "hello" }] };
const runBody = (graph: string, mode: string): string =>
  JSON.stringify({ assistant_id: graph, input: message, stream_mode: mode, if_not_exists: "create" });
const sendBody = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "message/send",
  params: { message: { kind: "message", role: "user", messageId: "m", parts: [{ kind: "text", text: "hello" }] } },
});

export const workloads: readonly Workload[] = [
  { name: "runs/stream, 1 event", graph: "one", path: "/runs/stream", body: runBody("one", "updates") },
  { name: "runs/stream, 100 tokens", graph: "tokens", path: "/runs/stream", body: runBody("tokens", "messages-tuple") },
  {
    name: "threads/runs/stream, 1 event",
    graph: "one",
    path: "/threads/{thread}/runs/stream",
    body: runBody("one", "updates"),
  },
  { name: "message/send, 1 event", graph: "one", path: "/a2a/one", body: sendBody },
  { name: "message/send, 100 tokens", graph: "tokens", path: "/a2a/tokens", body: sendBody },
];

export const isA2a = ({ path }: Workload): boolean => path.startsWith("/a2a/");

/** Threads and contexts of A2A keep their state. In process, LangGraph's in-memory saver does the same. */
export const isKept = (workload: Workload): boolean => workload.path.includes("{thread}") || isA2a(workload);

/** Measures a URL, in which `{thread}` stands for the id of a thread. `server` is the process that answers. */
export async function overHttp(url: string, body: string, callers: number, server: number): Promise<Measured> {
  const client = httpClient(callers);
  const lend = lendThreads();
  const measured = await measure(
    callers,
    SECONDS,
    (first) => lend((thread) => client.post(url.replace("{thread}", thread), body, first)),
    server,
  );
  client.close();
  return measured;
}
