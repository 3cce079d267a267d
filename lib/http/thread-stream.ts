import * as commands from "../engine/thread-stream/commands.ts";
import {
  followRuns,
  followThread,
  isReplayable,
  newestPosition,
  type ThreadBatch,
} from "../engine/thread-stream/follow-runs.ts";
import { follow } from "../engine/follow.ts";
import { getThread } from "../engine/threads/find-thread.ts";
import type { Deployment } from "../engine/ports/ports.ts";
import type { operations } from "../protocol/operations.ts";
import { encodeSse } from "../protocol/sse.ts";
import { END } from "../protocol/stream.ts";
import { encodeThreadEvent, type ThreadEvent, type ThreadStreamMode } from "../protocol/thread-stream.ts";
import { threadFilter } from "../rules/thread-stream/filter.ts";
import { isPythonClient, pythonEventConverter } from "../rules/thread-stream/python.ts";
import { permitThread, permitFutureThread } from "./access.ts";
import type { Call, Handler } from "./endpoint.ts";
import type { OrderedSubscription } from "./run-end-order.ts";
import { startOptionsOf } from "./run-start.ts";
import { sseResponse } from "./sse.ts";

/** `POST /threads/{thread_id}/commands` */
export const applyThreadCommand: Handler<typeof operations.applyThreadCommand> = async (call) => {
  const { platform, deployment, body } = call;
  const target = { platform, deployment, threadId: await permitFutureThread(call) };
  return Response.json(await commands.applyThreadCommand({ ...target, ...startOptionsOf(call) }, body));
};

/**
 * `POST /threads/{thread_id}/stream/events`: stays open until the client leaves. The thread need not exist yet. `order` is
 * given if the stream is one of several subscriptions of a connection.
 */
export async function streamThread(
  call: Call<typeof operations.streamThread>,
  order?: OrderedSubscription,
): Promise<Response> {
  const { deployment, body } = call;
  const threadId = await permitFutureThread(call);
  const isWanted = threadFilter(body);
  const convert = isPythonClient(call.request.headers) ? pythonEventConverter() : undefined;
  const encode = (events: readonly ThreadEvent[]) =>
    (convert ? events.flatMap(convert) : events).filter(isWanted).map(encodeEvent).join("");
  return sseResponse((signal) =>
    encoded(followThread(deployment, threadId, { since: body.since, signal }), encode, order),
  );
}

function encodeEvent(event: ThreadEvent): string {
  return encodeSse({ event: event.method, data: encodeThreadEvent(event), id: event.event_id });
}

async function* encoded(
  batches: AsyncIterable<ThreadBatch>,
  encode: (events: readonly ThreadEvent[]) => string,
  order: OrderedSubscription | undefined,
): AsyncGenerator<string, void, undefined> {
  for await (const { run, events, end } of batches) {
    if (order && end) {
      yield encode(events);
      await order.atEnd(run);
      yield encode(end);
    } else {
      yield encode(end ? [...events, ...end] : events);
    }
  }
}

/** `GET /threads/{thread_id}/stream/events`: the server opens a WebSocket instead (lib/http/thread-socket.ts). */
export const openThreadSocket: Handler<typeof operations.openThreadSocket> = async (call) => {
  await permitFutureThread(call);
  return new Response("Ask for a WebSocket (Upgrade: websocket), or POST for a stream of server-sent events", {
    status: 426,
    headers: { "content-type": "text/plain; charset=utf-8", upgrade: "websocket" },
  });
};

/** `GET /threads/{thread_id}/stream`: events after `Last-Event-ID`, or else from now on. */
export const joinThreadStream: Handler<typeof operations.joinThreadStream> = async (call) => {
  const { deployment, query, request } = call;
  const { thread_id } = await getThread(deployment, (await permitThread(call, "read")).threadId);
  const modes = query.stream_mode ?? query.stream_modes ?? ["run_modes"];
  const given = request.headers.get("last-event-id")?.trim();
  const after = given === undefined ? await newestPosition(deployment, thread_id) : positionOf(given);
  return sseResponse((signal) => joined(deployment, thread_id, { after, modes, signal }));
};

/** Parses `Last-Event-ID`. Clients send `-`, `-1` or `0-0` for the beginning. */
function positionOf(id: string): number {
  return /^\d{1,15}$/.test(id) ? Number(id) : -1;
}

async function* joined(
  deployment: Deployment,
  threadId: string,
  { after, modes, signal }: { after: number; modes: readonly ThreadStreamMode[]; signal: AbortSignal },
): AsyncGenerator<string, void, undefined> {
  const events = modes.includes("run_modes");
  for await (const run of followRuns(deployment, threadId, 0, signal)) {
    if (!isReplayable(deployment, run)) continue;
    for await (const batch of follow(deployment, run.run_id, Math.max(-1, after - run.position), signal)) {
      let text = "";
      for (const { id, event, data } of batch) {
        const number = String(run.position + id);
        if (event === END) text += encodeSse({ event: "run_done", data: doneOf(run.run_id, data), id: number });
        else if (events || event === "metadata") text += encodeSse({ event, data, id: number });
      }
      yield text;
    }
  }
}

function doneOf(runId: string, end: string): string {
  return `{"run_id":${JSON.stringify(runId)},${end.slice(1)}`;
}
