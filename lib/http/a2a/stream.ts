import type { Deployment, Platform } from "../engine/ports.ts";
import { followTask } from "../engine/tasks.ts";
import type { Dialect, TaskUpdate } from "../protocol/a2a.ts";
import { renderings } from "../protocol/a2a-render.ts";
import { encodeRpc, RPC_CODE, type RpcId } from "../protocol/jsonrpc.ts";
import { encodeSse } from "../protocol/sse.ts";
import type { StoredTask } from "../protocol/tasks.ts";
import { beginTask } from "../rules/a2a-fold.ts";
import { tell, tellTask } from "../rules/a2a-stream.ts";
import { byteStream, STREAM_HEADERS } from "./sse.ts";

/** A2A clients read a comment with its blank line as nothing, as the standard says. */
const KEEP_ALIVE = { text: ": ping\n\n", everyMs: 15_000 };

export interface StreamRequest {
  id: RpcId;
  dialect: Dialect;
  historyLength?: number;
}

/** The answer of a streamed send. A client that leaves ends its stream, not the task. */
export function taskStream(
  platform: Platform,
  deployment: Deployment,
  task: StoredTask,
  request: StreamRequest,
): Response {
  const body = byteStream((signal) => encodeTask(platform, deployment, task, request, signal), {
    keepAlive: KEEP_ALIVE,
  });
  return new Response(body, { headers: STREAM_HEADERS });
}

/** Every event is a whole JSON-RPC answer to the one request. */
async function* encodeTask(
  platform: Platform,
  deployment: Deployment,
  task: StoredTask,
  { id, dialect, historyLength }: StreamRequest,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const frame = (update: TaskUpdate): string =>
    encodeSse({ data: encodeRpc(id, { result: renderings[dialect].update(update) }) });
  try {
    const first = tellTask(task, beginTask(task), historyLength);
    yield frame(first.update);
    let { told } = first;
    for await (const { heard, now } of followTask(platform, deployment, task, signal)) {
      const next = tell(task, told, heard, now);
      told = next.told;
      yield next.updates.map(frame).join("");
    }
  } catch (error) {
    const requestId = platform.newId();
    platform.logger.error(`stream of an A2A task ${requestId}`, error);
    const message = `Internal error (request ${requestId})`;
    yield encodeSse({ event: "error", data: encodeRpc(id, { error: { code: RPC_CODE.internal, message } }) });
  }
}
