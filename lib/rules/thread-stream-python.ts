import { isObject, parseJson } from "../protocol/json.ts";
import type { ThreadEvent } from "../protocol/thread-stream.ts";

/**
 * Tells whether the client for Python opens a stream. A program may give that client another name, and its streams alone
 * forbid caches to keep them (docs/decisions/024-python-client.md).
 */
export function isPythonClient(headers: Pick<Headers, "get">): boolean {
  const isNamed = headers.get("user-agent")?.startsWith("langgraph-sdk-py/") ?? false;
  return isNamed || headers.get("cache-control") === "no-store";
}

/**
 * An event as the client for Python can read it, if it can (docs/decisions/024-python-client.md). It looks for what
 * models and tools say under the graph that the node is in, not under the node; and it takes the end of any node for
 * that of the run, while it learns how nodes end from `tasks`.
 */
export function toldToPython(event: ThreadEvent): ThreadEvent | undefined {
  if (event.method === "messages" || event.method === "tools")
    return { ...event, namespace: event.namespace.slice(0, -1) };
  return event.method === "lifecycle" && event.namespace.length > 0 && !isStart(event) ? undefined : event;
}

function isStart({ data }: ThreadEvent): boolean {
  const told = parseJson(data);
  return isObject(told) && told.event === "started";
}
