import { findTask, type TaskAction } from "../../engine/a2a/tasks.ts";
import type { TaskRecord } from "../../engine/ports/tasks.ts";
import { a2aError, type A2aReason, type Method } from "../../protocol/a2a.ts";
import type { Parsed } from "../../protocol/a2a-parts.ts";
import type { Assistant } from "../../protocol/assistants.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { invalidParams, type RpcError, type RpcId, type RpcOutcome } from "../../protocol/jsonrpc.ts";
import type { operations } from "../../protocol/operations.ts";
import type { Call } from "../endpoint.ts";

export type A2aCall = Call<typeof operations.sendA2a>;

/** A call whose envelope, version and method are understood. */
export interface A2aRequest {
  readonly call: A2aCall;
  readonly id: RpcId;
  readonly method: Method;
  readonly params: JsonObject;
  readonly assistant: Assistant;
}

/** How a method answers: a response of its own when it streams. */
export type MethodHandler = (rpc: A2aRequest) => Promise<RpcOutcome | Response>;

/** Thrown for what the client did wrong; `sendA2a` answers with the JSON-RPC error. */
export class RpcFailure extends Error {
  override readonly name = "RpcFailure";
  readonly error: RpcError;

  constructor(error: RpcError) {
    super(error.message);
    this.error = error;
  }
}

export function refused(reason: A2aReason, details?: Parameters<typeof a2aError>[1]): RpcFailure {
  return new RpcFailure(a2aError(reason, details));
}

export function invalid(field: string, description: string): RpcFailure {
  return new RpcFailure(invalidParams([{ field, description }]));
}

/** What was read. Throws `RpcFailure` for what could not be. */
export function accepted<T>(read: Parsed<T>): T {
  if (!read.ok) throw new RpcFailure(read.error);
  return read.value;
}

/** The task of this id. Throws `RpcFailure` for one that is unknown, another assistant's, or not to be seen by the caller. */
export async function taskNamed(
  { call, assistant }: A2aRequest,
  taskId: string,
  action: TaskAction = "read",
): Promise<TaskRecord> {
  const task = await findTask(call.deployment, call.access, assistant.assistant_id, { taskId, action });
  if (!task) throw refused("TASK_NOT_FOUND", { metadata: { taskId } });
  return task;
}
