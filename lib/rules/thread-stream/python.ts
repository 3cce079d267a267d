import { isObject, parseJson } from "../../protocol/json.ts";
import type { ThreadEvent } from "../../protocol/thread-stream.ts";
import { remembered } from "./remembered.ts";

/** Characters of nodes that are at work: tens of thousands. */
const MOST_BEGUN = 4 * 1024 * 1024;

/**
 * Tells whether the client for Python opens a stream. A program may give that client another name, and its streams alone
 * forbid caches to keep them (docs/decisions/024-python-client.md).
 */
export function isPythonClient(headers: Pick<Headers, "get">): boolean {
  const isNamed = headers.get("user-agent")?.startsWith("langgraph-sdk-py/") ?? false;
  return isNamed || headers.get("cache-control") === "no-store";
}

/**
 * Tells whether the client for Python opens a WebSocket. Its handshake names the package that it uses, or the program
 * if that has a name of its own. Browsers and Node.js name themselves too, but also send `cache-control: no-cache`
 * (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch); the package `ws` of Node.js sends neither.
 */
export function isPythonSocket(headers: Pick<Headers, "get">): boolean {
  const name = headers.get("user-agent") ?? "";
  return /^langgraph-sdk-py\/|\bwebsockets\/\d/.test(name) || (name !== "" && headers.get("cache-control") === null);
}

/**
 * Tells a stream as the client for Python can read it (docs/decisions/024-python-client.md). It looks for what models
 * and tools say under the graph that the node is in, not under the node. It takes every life for that of a graph, and
 * older ones take the end of any for that of the run: of nodes that are graphs it is told that they begin, and all
 * learn how they end from `tasks`.
 */
export function pythonTeller(): (event: ThreadEvent) => ThreadEvent[] {
  /** How nodes began of which it is not known yet whether they are graphs, by their namespaces. */
  const begun = remembered<ThreadEvent>(MOST_BEGUN);
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
        if (isStart(event)) begun.set(placeOf(event), event, event.data.length);
        else begun.delete(placeOf(event));
        return [];
      }
      case "tasks": {
        // Only a graph has tasks.
        const start = begun.delete(placeOf(event));
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
 * This client tells messages of one graph apart by their ids, where that for JavaScript does so by their nodes and
 * calls; and it reads the node out of the metadata.
 */
function messageToPython({ data, node, message_id }: ThreadEvent): string {
  const start = data.startsWith('{"event":"message-start"') ? parseJson(data) : undefined;
  if (!isObject(start)) return `${data.slice(0, -1)},"message_id":${JSON.stringify(message_id)}}`;
  const metadata = { ...(isObject(start.metadata) && start.metadata), langgraph_node: node };
  return JSON.stringify({ ...start, metadata });
}

/** This client reads the question itself from a member of another name than the protocol's. */
function questionToPython({ data }: ThreadEvent): string {
  const told = parseJson(data);
  return isObject(told) ? JSON.stringify({ ...told, value: told.payload }) : data;
}

function isStart({ data }: ThreadEvent): boolean {
  const told = parseJson(data);
  return isObject(told) && told.event === "started";
}
