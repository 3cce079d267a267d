import type { Platform } from "../../engine/ports.ts";
import type { TaskFeed } from "../../engine/task-ports.ts";
import type { Dialect, Task, TaskUpdate } from "../../protocol/a2a.ts";
import { renderings } from "../../protocol/a2a-render.ts";
import { encodeRpc, encodeRpcText, RPC_CODE, type RpcError, type RpcId } from "../../protocol/jsonrpc.ts";
import { encodeSse } from "../../protocol/sse.ts";
import { byteStream, STREAM_HEADERS } from "../sse.ts";

/** A2A clients read a comment with its blank line as nothing, as the standard says. */
const KEEP_ALIVE = { text: ": ping\n\n", everyMs: 15_000 };

interface Listener {
  id: RpcId;
  dialect: Dialect;
}

export interface FeedListener extends Listener {
  from: "beginning" | "now";
  historyLength?: number;
}

/** What is told of a task until it rests. A client that leaves ends its stream, not the task. */
export function feedStream(platform: Platform, feed: TaskFeed, listener: FeedListener): Response {
  const body = byteStream((signal) => encodeFeed(platform, feed, listener, signal), { keepAlive: KEEP_ALIVE });
  return new Response(body, { headers: STREAM_HEADERS });
}

/** Every event is a whole JSON-RPC answer to the one request. */
async function* encodeFeed(
  platform: Platform,
  feed: TaskFeed,
  { id, dialect, from, historyLength }: FeedListener,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  try {
    const { first, next: begin } = feed.listen(from, historyLength);
    yield frame(id, dialect, first);
    for (let next = begin; !signal.aborted;) {
      const told = feed.read(next, dialect);
      next = told.next;
      if (told.updates.length > 0) {
        yield told.updates.map((update) => encodeSse({ data: encodeRpcText(id, update) })).join("");
      } else if (told.over) return;
      else await feed.changed(next, signal);
    }
  } catch (error) {
    const requestId = platform.newId();
    platform.logger.error(`stream of an A2A task ${requestId}`, error);
    yield errorFrame(id, { code: RPC_CODE.internal, message: `Internal error (request ${requestId})` });
  }
}

/** Of a task that rests: as it stands, and that this is all for now. */
export function restStream(task: Task, { id, dialect }: Listener): Response {
  const { id: taskId, contextId, status } = task;
  const last: TaskUpdate = { kind: "status", taskId, contextId, status, last: true };
  const frames = frame(id, dialect, { kind: "task", task }) + frame(id, dialect, last);
  return new Response(frames, { headers: STREAM_HEADERS });
}

/** Where a client reads nothing but a stream. */
export function errorStream(id: RpcId, error: RpcError): Response {
  return new Response(errorFrame(id, error), { headers: STREAM_HEADERS });
}

function frame(id: RpcId, dialect: Dialect, update: TaskUpdate): string {
  return encodeSse({ data: encodeRpc(id, { result: renderings[dialect].update(update) }) });
}

function errorFrame(id: RpcId, error: RpcError): string {
  return encodeSse({ event: "error", data: encodeRpc(id, { error }) });
}
