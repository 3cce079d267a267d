/** Push notification configurations of tasks, and changes of tasks with their notifications. */
import type { Dialect } from "../../protocol/a2a.ts";
import type { PushConfig } from "../../protocol/a2a-push.ts";
import type { PushDelivery } from "../../protocol/push-deliveries.ts";
import type { StoredTask } from "../../protocol/tasks.ts";
import { atRest, type TaskProgress } from "../../rules/a2a/task-fold.ts";
import { pushTexts, type PushMoment } from "../../rules/a2a/push-notifications.ts";
import { uuidV5 } from "../../rules/uuid.ts";
import type { SecretBox } from "../ports/keys.ts";
import type { Deployment, Platform } from "../ports/ports.ts";
import type { NotificationFilter, PushNotification, StoredPushConfig } from "../ports/pushes.ts";
import type { TaskChange } from "../ports/tasks.ts";
import { isoTime } from "../../protocol/iso-time.ts";

/** The highest number of configurations of a task. */
export const MOST_PUSH_CONFIGS = 16;

/** A configuration as a client requests it, and the client's dialect. */
export interface PushRequest {
  readonly config: Omit<PushConfig, "taskId">;
  readonly dialect: Dialect;
}

/** The parts of a configuration that are stored sealed, because only the receiver may know them. */
export type PushSecrets = Pick<PushConfig, "url" | "token" | "authentication">;

/** Converts a requested configuration to its stored form. */
export function toStoredConfig(platform: Platform, taskId: string, request: PushRequest): StoredPushConfig {
  const { config, dialect } = request;
  const { url, token, authentication } = config;
  const secrets: PushSecrets = { url, token, authentication };
  return {
    task_id: taskId,
    config_id: idOf(taskId, request) ?? platform.newId(),
    host: new URL(url).host,
    sealed: platform.box.seal(JSON.stringify(secrets)),
    dialect,
    created_at: isoTime(platform.clock.now()),
  };
}

/** Decrypts a stored configuration. Throws when the key that sealed it is gone. */
export function openPushConfig(box: SecretBox, { sealed }: Pick<StoredPushConfig, "sealed">): PushSecrets {
  // The text was sealed by `toStoredConfig`, as nobody else has the key.
  return JSON.parse(box.open(sealed)) as PushSecrets;
}

/** Stores or replaces a configuration. `full`: the task has the highest number; `missing`: it is gone. */
export async function setPushConfig(
  platform: Platform,
  deployment: Deployment,
  taskId: string,
  request: PushRequest,
): Promise<PushConfig | "full" | "missing"> {
  const push = toStoredConfig(platform, taskId, request);
  const put = await deployment.pushConfigs.put(push, MOST_PUSH_CONFIGS);
  return put === "stored" ? { ...request.config, taskId, id: push.config_id } : put;
}

/** Returns whether a task can take this configuration: it has fewer than the limit, or one of the same id. */
export async function mayAddPushConfig(deployment: Deployment, taskId: string, request: PushRequest): Promise<boolean> {
  const known = await deployment.pushConfigs.list(taskId);
  const id = idOf(taskId, request);
  return known.filter(({ config_id }) => config_id !== id).length < MOST_PUSH_CONFIGS;
}

/** A client of v0.3 that names no id means the only configuration of its task. */
function idOf(taskId: string, { config, dialect }: PushRequest): string | undefined {
  return config.id ?? (dialect === "0.3" ? taskId : undefined);
}

/** Lists the configurations of a task, oldest first. */
export async function listPushConfigs(
  platform: Platform,
  deployment: Deployment,
  taskId: string,
): Promise<PushConfig[]> {
  const pushes = await deployment.pushConfigs.list(taskId);
  return pushes.map((push) => ({ taskId, id: push.config_id, ...openPushConfig(platform.box, push) }));
}

export async function deletePushConfig(
  platform: Platform,
  deployment: Deployment,
  taskId: string,
  configId: string,
): Promise<void> {
  await deployment.pushConfigs.delete(taskId, configId, platform.clock.now());
}

/**
 * Changes a task. Its notifications are stored in the same transaction, so neither exists without the other. While
 * pushes are off, no configuration is read. Returns false as `TaskStore.change` does.
 */
export async function changeTask(
  platform: Pick<Platform, "clock" | "sha1">,
  deployment: Pick<Deployment, "tasks" | "pushEnabled" | "pushDue">,
  task: StoredTask,
  { progress, moment, ...change }: Omit<TaskChange, "notifications"> & { progress: TaskProgress; moment: PushMoment },
): Promise<boolean> {
  const stored: TaskChange = moment === "working" ? change : { ...change, progress: atRest(progress) };
  if (!deployment.pushEnabled) return await deployment.tasks.change(task.task_id, stored);
  let made = false;
  const created = platform.clock.now();
  const notifications = (pushes: readonly StoredPushConfig[]): PushNotification[] => {
    made = true;
    return pushes.flatMap((push) =>
      pushTexts(task, progress, moment, push.dialect).map(({ contentType, ...text }) => ({
        ...text,
        letter_id: uuidV5(task.task_id, `${text.seq} ${push.config_id}`, platform.sha1),
        task_id: task.task_id,
        config_id: push.config_id,
        host: push.host,
        content_type: contentType,
        created,
      })),
    );
  };
  const changed = await deployment.tasks.change(task.task_id, { ...stored, notifications });
  if (made) deployment.pushDue();
  return changed;
}

/** Lists notifications that were posted or wait to be. A deployment that is being removed has none. */
export async function listPushDeliveries(
  platform: Platform,
  name: string,
  filter: NotificationFilter,
): Promise<PushDelivery[]> {
  return (await platform.find(name)?.notifications.list(filter)) ?? [];
}
