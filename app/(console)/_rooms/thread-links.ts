import type { ListedThread } from "#lib/client/listed-threads.ts";
import { deploymentPath } from "../_ui/deployment-path.ts";

/** Returns the addresses of a thread's pages. */
export function threadLinks(deployment: string, thread: Pick<ListedThread, "thread_id" | "metadata">) {
  const base = deploymentPath(deployment);
  const id = encodeURIComponent(thread.thread_id);
  const graph = thread.metadata.graph_id;
  return {
    page: `${base}/threads/${id}`,
    chat: `${base}/chat?thread=${id}`,
    /** Undefined for a thread on which nothing has run. */
    studio: typeof graph === "string" ? `${base}/studio/${encodeURIComponent(graph)}?thread=${id}` : undefined,
  };
}
