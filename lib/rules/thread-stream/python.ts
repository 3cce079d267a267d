import { isObject, parseJson } from "../../protocol/json.ts";
import type { ThreadEvent } from "../../protocol/thread-stream.ts";
import { boundedMap } from "./bounded-map.ts";

/** The most characters of running nodes: enough for tens of thousands. */
const MOST_STARTED = 4 * 1024 * 1024;

/**
 * Returns whether the client for Python opens a stream. A program may change the client's user agent. It is still known
 * by `cache-control: no-store`, which no other client sends (docs/decisions/024-python-client.md).
 */
export function isPythonClient(headers: Pick<Headers, "get">): boolean {
  const isNamed = headers.get("user-agent")?.startsWith("langgraph-sdk-py/") ?? false;
  return isNamed || headers.get("cache-control") === "no-store";
}

/**
 * Returns whether the client for Python opens a WebSocket. Its user agent is the package that it uses, or the program
 * if that sets one. Browsers and Node.js send a user agent too, but also `cache-control: no-cache`
 * (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch). The package `ws` of Node.js sends neither.
 */
export function isPythonSocket(headers: Pick<Headers, "get">): boolean {
  const name = headers.get("user-agent") ?? "";
  return /^langgraph-sdk-py\/|\bwebsockets\/\d/.test(name) || (name !== "" && headers.get("cache-control") === null);
}

/**
 * Converts a stream to the form that the client for Python reads (docs/decisions/024-python-client.md). It expects the
 * events of models and tools under the graph of a node, not under the node. It takes every lifecycle for that of a
 * graph, and older versions take any end for the end of the run. So it receives only the starts of nodes that are
 * graphs, and reads the ends from `tasks`.
 */
export function pythonEventConverter(): (event: ThreadEvent) => ThreadEvent[] {
  /** The start events of nodes that may be graphs, keyed by namespace, until a task shows that they are. */
  const started = boundedMap<ThreadEvent>(MOST_STARTED);
  return (event) => {
    const { method, namespace } = event;
    switch (method) {
      case "messages":
        return [{ ...event, namespace: namespace.slice(0, -1), data: messageToPython(event) }];
      case "tools":
        return [{ ...event, namespace: namespace.slice(0, -1) }];
      case "input.requested":
        return [{ ...event, data: questionToPython(event) }];
      case "lifecycle": {
        if (namespace.length === 0) return [event];
        if (isStart(event)) started.set(placeOf(event), event, event.data.length);
        else started.delete(placeOf(event));
        return [];
      }
      case "tasks": {
        // Only a graph has tasks, so the namespace of this event is one.
        const start = started.delete(placeOf(event));
        return start ? [start, event] : [event];
      }
      case "values":
      case "updates":
      case "checkpoints":
      case "custom":
        return [event];
    }
  };
}

const placeOf = ({ namespace }: ThreadEvent): string => namespace.join("|");

/**
 * Adds what this client reads. It separates the messages of one graph by their ids, where the client for JavaScript
 * uses their nodes and calls. It reads the node from the metadata.
 */
function messageToPython({ data, node, message_id }: ThreadEvent): string {
  const start = data.startsWith('{"event":"message-start"') ? parseJson(data) : undefined;
  if (!isObject(start)) return `${data.slice(0, -1)},"message_id":${JSON.stringify(message_id)}}`;
  const metadata = { ...(isObject(start.metadata) && start.metadata), langgraph_node: node };
  return JSON.stringify({ ...start, metadata });
}

/** Adds the member `value`, from which this client reads the question that the protocol calls `payload`. */
function questionToPython({ data }: ThreadEvent): string {
  const parsed = parseJson(data);
  return isObject(parsed) ? JSON.stringify({ ...parsed, value: parsed.payload }) : data;
}

function isStart({ data }: ThreadEvent): boolean {
  const parsed = parseJson(data);
  return isObject(parsed) && parsed.event === "started";
}
