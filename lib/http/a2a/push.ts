import * as pushes from "../../engine/a2a/task-pushes.ts";
import type { KnownTask } from "../../engine/ports/tasks.ts";
import {
  parseOnePush,
  parsePushPlace,
  parseSetPush,
  type PushConfig,
  pushUrlField,
  renderPushConfig,
  renderPushConfigs,
} from "../../protocol/a2a-push.ts";
import { accepted, type Asked, invalid, refused, type Refused, taskNamed, type Verb } from "./asked.ts";

/** `tasks/pushNotificationConfig/set`, `CreateTaskPushNotificationConfig`. */
export const setPush: Verb = async (asked) => {
  requirePushes(asked);
  const { call, params, method } = asked;
  const { taskId, ...config } = accepted(parseSetPush(params));
  const task = await taskNamed(asked, taskId, "update");
  requireUrl(asked, config.url, "set");
  const { dialect } = method;
  const set = await pushes.setPush(call.platform, call.deployment, task.task_id, { config, dialect });
  if (set === "missing") throw refused("TASK_NOT_FOUND", { metadata: { taskId } });
  if (set === "full") throw full();
  return { result: renderPushConfig(set, dialect) };
};

/** `tasks/pushNotificationConfig/get`, which may leave out which one, and `GetTaskPushNotificationConfig`. */
export const getPush: Verb = async (asked) => {
  requirePushes(asked);
  const { dialect } = asked.method;
  const { taskId, id } = accepted((dialect === "1.0" ? parseOnePush : parsePushPlace)(asked.params, dialect));
  const configs = await configsOf(asked, taskId);
  const config = id === undefined ? configs[0] : configs.find((one) => one.id === id);
  if (config) return { result: renderPushConfig(config, dialect) };
  const message = "Push notification configuration not found";
  throw refused("TASK_NOT_FOUND", { message, metadata: { taskId } });
};

/** `tasks/pushNotificationConfig/list`, `ListTaskPushNotificationConfigs`. */
export const listPushes: Verb = async (asked) => {
  requirePushes(asked);
  const { dialect } = asked.method;
  const { taskId } = accepted(parsePushPlace(asked.params, dialect));
  return { result: renderPushConfigs(await configsOf(asked, taskId), dialect) };
};

/** `tasks/pushNotificationConfig/delete`, `DeleteTaskPushNotificationConfig`: also of one that is not there. */
export const deletePush: Verb = async (asked) => {
  requirePushes(asked);
  const { call, params, method } = asked;
  const { taskId, id } = accepted(parseOnePush(params, method.dialect));
  const task = await taskNamed(asked, taskId, "update");
  await pushes.deletePush(call.platform, call.deployment, task.task_id, id);
  return { result: null };
};

/** What a send asks for. Throws `Refused` where there are no pushes, and for an address that may not be. */
export function pushAsked(
  asked: Asked,
  config: Omit<PushConfig, "taskId"> | undefined,
): pushes.PushRequest | undefined {
  if (!config) return undefined;
  requirePushes(asked);
  requireUrl(asked, config.url, "send");
  return { config, dialect: asked.method.dialect };
}

/** Throws `Refused` when a task that goes on has as many as it may. */
export async function requireRoom({ call }: Asked, task: KnownTask, push: pushes.PushRequest): Promise<void> {
  if (!(await pushes.hasRoom(call.deployment, task.task_id, push))) throw full();
}

function requirePushes({ call }: Asked): void {
  if (!call.deployment.pushing) throw refused("PUSH_NOTIFICATION_NOT_SUPPORTED");
}

function requireUrl({ call, method }: Asked, url: string, within: "set" | "send"): void {
  const problem = call.deployment.pushOutgoing.problem(url);
  if (problem !== undefined) throw invalid(pushUrlField(method.dialect, within), problem);
}

function full(): Refused {
  return invalid("id", `expected one of the ${pushes.PUSHES} that the task has: there can be no more`);
}

async function configsOf(asked: Asked, taskId: string): Promise<PushConfig[]> {
  const task = await taskNamed(asked, taskId);
  return await pushes.listPushes(asked.call.platform, asked.call.deployment, task.task_id);
}
