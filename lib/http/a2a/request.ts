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

/** A call with a valid envelope, a known version and a known method. */
export interface A2aRequest {
  readonly call: A2aCall;
  readonly id: RpcId;
  readonly method: Method;
  readonly params: JsonObject;
  readonly assistant: Assistant;
}

/** Executes a method. A method that streams returns the response itself. */
export type MethodHandler = (rpc: A2aRequest) => Promise<RpcOutcome | Response>;

/** Thrown for a mistake of the client. `sendA2a` answers with the JSON-RPC error. */
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

/** Returns a parsed value. Throws `RpcFailure` if parsing failed. */
export function accepted<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new RpcFailure(parsed.error);
  return parsed.value;
}

/** Finds a task. Throws `RpcFailure` if it is unknown, another assistant's, or hidden from the caller. */
export async function taskNamed(
  { call, assistant }: A2aRequest,
  taskId: string,
  action: TaskAction = "read",
): Promise<TaskRecord> {
  const task = await findTask(call.deployment, call.access, assistant.assistant_id, { taskId, action });
  if (!task) throw refused("TASK_NOT_FOUND", { metadata: { taskId } });
  return task;
}
