import type { Platform } from "../../engine/ports/ports.ts";
import type { TaskFeed, TaskSubscription } from "../../engine/ports/tasks.ts";
import { type Dialect, isResting, isTerminal, type Task, type TaskUpdate } from "../../protocol/a2a.ts";
import { renderings } from "../../protocol/a2a-render.ts";
import { encodeRpc, encodeRpcText, RPC_CODE, type RpcError, type RpcId } from "../../protocol/jsonrpc.ts";
import { encodeSse } from "../../protocol/sse.ts";
import { stateOf } from "../../rules/a2a/task-fold.ts";
import { catchUpUpdates } from "../../rules/a2a/task-updates.ts";
import { sseResponse, STREAM_HEADERS } from "../sse.ts";

/**
 * A2A clients ignore a comment with its blank line, as the standard for server-sent events says. The official client for
 * Python gives up on a stream that is silent for 5 s, the default of its HTTP library.
 */
const KEEP_ALIVE = { text: ": ping\n\n", everyMs: 3_000 };

interface StreamOptions {
  id: RpcId;
  dialect: Dialect;
}

export interface FeedStreamOptions extends StreamOptions {
  from: "beginning" | "now";
  historyLength?: number;
  /** Keeps the stream open while the task waits for a person. It is closed when the stream ends. */
  subscription?: TaskSubscription;
}

/** Streams the updates of a task until it ends or, without a subscription, waits. The task outlives the stream. */
export function feedStream(platform: Platform, feed: TaskFeed, options: FeedStreamOptions): Response {
  return sseResponse((signal) => encodeTask(platform, feed, options, signal), {
    keepAlive: KEEP_ALIVE,
    onLeave: () => options.subscription?.close(),
  });
}

/** Sent before a stream ends early, because clients take the end of a stream for the end of the task. */
const LEFT_EARLY: RpcError = {
  code: RPC_CODE.internal,
  message: "The server has left this task before its end: subscribe to the task again",
};

/** Encodes the updates of a task. Every event is a complete JSON-RPC response to the same request. */
async function* encodeTask(
  platform: Platform,
  begin: TaskFeed,
  { id, dialect, from, historyLength, subscription }: FeedStreamOptions,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  try {
    const listener = begin.listen(from, historyLength);
    yield frame(id, dialect, listener.first);
    yield* encodeFeed(begin, listener.next, { id, dialect, stays: subscription !== undefined }, signal);
    let feed = begin;
    while (subscription && isQuestion(feed) && !signal.aborted) {
      const after = await subscription.nextFeed(feed, signal);
      if (!after) break;
      const { first, next } = after.continueFrom(feed);
      for (const one of first ? catchUpUpdates(first, { dialect, stays: true }) : []) yield frame(id, dialect, one);
      yield* encodeFeed(after, next, { id, dialect, stays: true }, signal);
      feed = after;
    }
    const isOver = subscription ? isTerminal(stateOf(feed.progress())) : isResting(stateOf(feed.progress()));
    if (!isOver && !signal.aborted) yield errorFrame({ id, dialect }, LEFT_EARLY);
  } catch (error) {
    const requestId = platform.newId();
    platform.logger.error(`stream of an A2A task ${requestId}`, error);
    const message = `Internal error (request ${requestId})`;
    yield errorFrame({ id, dialect }, { code: RPC_CODE.internal, message });
  } finally {
    subscription?.close();
  }
}

/** Returns whether the task waits for a person at the end of this feed. */
function isQuestion(feed: TaskFeed): boolean {
  const state = stateOf(feed.progress());
  return isResting(state) && !isTerminal(state);
}

async function* encodeFeed(
  feed: TaskFeed,
  begin: number,
  { id, dialect, stays }: StreamOptions & { stays: boolean },
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  for (let next = begin; !signal.aborted;) {
    const { updates, over, next: end } = feed.read(next, dialect, stays);
    next = end;
    if (updates.length > 0) yield updates.map((update) => encodeSse({ data: encodeRpcText(id, update) })).join("");
    else if (over) return;
    else await feed.changed(next, signal);
  }
}

/** Streams a task that rests: its state, then the event that ends the stream. */
export function restStream(task: Task, { id, dialect }: StreamOptions): Response {
  const { id: taskId, contextId, status } = task;
  const last: TaskUpdate = { kind: "status", taskId, contextId, status, last: true };
  const frames = frame(id, dialect, { kind: "task", task }) + frame(id, dialect, last);
  return new Response(frames, { headers: STREAM_HEADERS });
}

/** Streams an error as the only event, for methods whose v0.3 clients read only streams. */
export function errorStream(id: RpcId, error: RpcError, headers: HeadersInit = {}): Response {
  return new Response(errorFrame({ id, dialect: "0.3" }, error), {
    headers: { ...STREAM_HEADERS, ...Object.fromEntries(new Headers(headers)) },
  });
}

function frame(id: RpcId, dialect: Dialect, update: TaskUpdate): string {
  return encodeSse({ data: encodeRpc(id, { result: renderings[dialect].update(update) }) });
}

/**
 * Encodes an error. The event has a name in v1.0 only: `a2a-sdk` 1.x for Python, when it uses v0.3, does not read the
 * JSON-RPC error in an event with a name.
 */
function errorFrame({ id, dialect }: StreamOptions, error: RpcError): string {
  const data = encodeRpc(id, { error });
  return encodeSse(dialect === "1.0" ? { event: "error", data } : { data });
}
