import * as pushes from "../../engine/a2a/task-pushes.ts";
import type { TaskRecord } from "../../engine/ports/tasks.ts";
import {
  parseOnePush,
  parsePushPlace,
  parseSetPush,
  type PushConfig,
  pushUrlField,
  renderPushConfig,
  renderPushConfigs,
} from "../../protocol/a2a-push.ts";
import {
  accepted,
  type A2aRequest,
  invalid,
  refused,
  type RpcFailure,
  taskNamed,
  type MethodHandler,
} from "./request.ts";

/** `tasks/pushNotificationConfig/set`, `CreateTaskPushNotificationConfig`. */
export const setPushConfig: MethodHandler = async (rpc) => {
  requirePushes(rpc);
  const { call, params, method } = rpc;
  const { taskId, ...config } = accepted(parseSetPush(params));
  const task = await taskNamed(rpc, taskId, "update");
  requireUrl(rpc, config.url, "set");
  const { dialect } = method;
  const set = await pushes.setPushConfig(call.platform, call.deployment, task.task_id, { config, dialect });
  if (set === "missing") throw refused("TASK_NOT_FOUND", { metadata: { taskId } });
  if (set === "full") throw full();
  return { result: renderPushConfig(set, dialect) };
};

/** `tasks/pushNotificationConfig/get`, whose configuration id is optional, and `GetTaskPushNotificationConfig`. */
export const getPushConfig: MethodHandler = async (rpc) => {
  requirePushes(rpc);
  const { dialect } = rpc.method;
  const { taskId, id } = accepted((dialect === "1.0" ? parseOnePush : parsePushPlace)(rpc.params, dialect));
  const configs = await configsOf(rpc, taskId);
  const config = id === undefined ? configs[0] : configs.find((one) => one.id === id);
  if (config) return { result: renderPushConfig(config, dialect) };
  const message = "Push notification configuration not found";
  throw refused("TASK_NOT_FOUND", { message, metadata: { taskId } });
};

/** `tasks/pushNotificationConfig/list`, `ListTaskPushNotificationConfigs`. */
export const listPushConfigs: MethodHandler = async (rpc) => {
  requirePushes(rpc);
  const { dialect } = rpc.method;
  const { taskId } = accepted(parsePushPlace(rpc.params, dialect));
  return { result: renderPushConfigs(await configsOf(rpc, taskId), dialect) };
};

/** `tasks/pushNotificationConfig/delete`, `DeleteTaskPushNotificationConfig`. Succeeds also if there is none. */
export const deletePushConfig: MethodHandler = async (rpc) => {
  requirePushes(rpc);
  const { call, params, method } = rpc;
  const { taskId, id } = accepted(parseOnePush(params, method.dialect));
  const task = await taskNamed(rpc, taskId, "update");
  await pushes.deletePushConfig(call.platform, call.deployment, task.task_id, id);
  return { result: null };
};

/** Checks the push configuration of a message. Throws `RpcFailure` if pushes are off or the address is not allowed. */
export function pushRequestOf(
  rpc: A2aRequest,
  config: Omit<PushConfig, "taskId"> | undefined,
): pushes.PushRequest | undefined {
  if (!config) return undefined;
  requirePushes(rpc);
  requireUrl(rpc, config.url, "send");
  return { config, dialect: rpc.method.dialect };
}

/** Throws `RpcFailure` if a task has as many push configurations as it may have. */
export async function requireRoom({ call }: A2aRequest, task: TaskRecord, push: pushes.PushRequest): Promise<void> {
  if (!(await pushes.mayAddPushConfig(call.deployment, task.task_id, push))) throw full();
}

function requirePushes({ call }: A2aRequest): void {
  if (!call.deployment.pushEnabled) throw refused("PUSH_NOTIFICATION_NOT_SUPPORTED");
}

function requireUrl({ call, method }: A2aRequest, url: string, within: "set" | "send"): void {
  const problem = call.deployment.pushOutgoing.problem(url);
  if (problem !== undefined) throw invalid(pushUrlField(method.dialect, within), problem);
}

function full(): RpcFailure {
  return invalid("id", `expected one of the task's ${pushes.MOST_PUSH_CONFIGS} configurations: there can be no more`);
}

async function configsOf(rpc: A2aRequest, taskId: string): Promise<PushConfig[]> {
  const task = await taskNamed(rpc, taskId);
  return await pushes.listPushConfigs(rpc.call.platform, rpc.call.deployment, task.task_id);
}
