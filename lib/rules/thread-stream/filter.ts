import type { ThreadEvent, ThreadStreamRequest } from "../../protocol/thread-stream.ts";

/** Returns a predicate for the events that a request subscribes to. */
export function threadFilter(request: ThreadStreamRequest): (event: ThreadEvent) => boolean {
  const channels = new Set(request.channels);
  const { namespaces = [], depth = Number.POSITIVE_INFINITY, since = -1 } = request;
  return (event) =>
    event.seq > since &&
    isOnChannel(event, channels) &&
    (namespaces.length === 0 || namespaces.some((prefix) => isWithin(event.namespace, prefix, depth)));
}

function isOnChannel({ method, name }: ThreadEvent, channels: ReadonlySet<string>): boolean {
  const channel = method === "input.requested" ? "input" : method;
  return channels.has(channel) || (name !== undefined && channels.has(`custom:${name}`));
}

/** Returns whether a namespace starts with a prefix and has at most `depth` segments more. */
export function isWithin(namespace: readonly string[], prefix: readonly string[], depth: number): boolean {
  const below = namespace.length - prefix.length;
  if (below < 0 || below > depth) return false;
  return prefix.every((segment, index) => isSegment(namespace[index] ?? "", segment));
}

/** A requested segment without a colon is a node's name, which matches all tasks of the node. */
function isSegment(segment: string, asked: string): boolean {
  return segment === asked || (!asked.includes(":") && segment.startsWith(`${asked}:`));
}
