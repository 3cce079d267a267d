/** Who is told of tasks, and the changes that they are told of. */
import type { Dialect } from "../../protocol/a2a.ts";
import type { PushConfig } from "../../protocol/a2a-push.ts";
import type { PushDelivery } from "../../protocol/push-deliveries.ts";
import type { StoredTask } from "../../protocol/tasks.ts";
import { atRest, type TaskProgress } from "../../rules/a2a/task-fold.ts";
import { pushTexts, type PushMoment } from "../../rules/a2a/push-notifications.ts";
import { uuidV5 } from "../../rules/uuid.ts";
import type { SecretBox } from "../ports/keys.ts";
import type { Deployment, Platform } from "../ports/ports.ts";
import type { LetterFilter, PushLetter, TaskPush } from "../ports/pushes.ts";
import type { TaskChange } from "../ports/tasks.ts";
import { isoTime } from "../../protocol/iso-time.ts";

/** Configurations that a task may have. */
export const PUSHES = 16;

/** A configuration as a client asks for it, and how the client speaks. */
export interface PushRequest {
  readonly config: Omit<PushConfig, "taskId">;
  readonly dialect: Dialect;
}

/** What only the receiver is to know. */
export type PushSecrets = Pick<PushConfig, "url" | "token" | "authentication">;

/** As it is stored. */
export function pushOf(platform: Platform, taskId: string, request: PushRequest): TaskPush {
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

/** Throws where the key is gone that sealed it. */
export function openPush(box: SecretBox, { sealed }: Pick<TaskPush, "sealed">): PushSecrets {
  // What `pushOf` sealed: nobody else has the key.
  return JSON.parse(box.open(sealed)) as PushSecrets;
}

/** In place of the one of the same id. `full` when the task has as many as it may, `missing` when it is gone. */
export async function setPush(
  platform: Platform,
  deployment: Deployment,
  taskId: string,
  request: PushRequest,
): Promise<PushConfig | "full" | "missing"> {
  const push = pushOf(platform, taskId, request);
  const put = await deployment.pushes.put(push, PUSHES);
  return put === "stored" ? { ...request.config, taskId, id: push.config_id } : put;
}

/** Whether a task that goes on has room for one more, or one of its id already. */
export async function hasRoom(deployment: Deployment, taskId: string, request: PushRequest): Promise<boolean> {
  const known = await deployment.pushes.list(taskId);
  const id = idOf(taskId, request);
  return known.filter(({ config_id }) => config_id !== id).length < PUSHES;
}

/** A client of v0.3 that names no id means the one configuration that its task has. */
function idOf(taskId: string, { config, dialect }: PushRequest): string | undefined {
  return config.id ?? (dialect === "0.3" ? taskId : undefined);
}

/** Of a task, oldest first. */
export async function listPushes(platform: Platform, deployment: Deployment, taskId: string): Promise<PushConfig[]> {
  const pushes = await deployment.pushes.list(taskId);
  return pushes.map((push) => ({ taskId, id: push.config_id, ...openPush(platform.box, push) }));
}

export async function deletePush(
  platform: Platform,
  deployment: Deployment,
  taskId: string,
  configId: string,
): Promise<void> {
  await deployment.pushes.delete(taskId, configId, platform.clock.now());
}

/**
 * Changes a task, and has everybody told who is to be told: the letters are stored with the change, so that neither is
 * there without the other. Where pushes are off, nobody is looked for. False as `TaskStore.change`.
 */
export async function changeTask(
  platform: Pick<Platform, "clock" | "sha1">,
  deployment: Pick<Deployment, "tasks" | "pushing" | "pushDue">,
  task: StoredTask,
  { heard, moment, ...change }: Omit<TaskChange, "letters"> & { heard: TaskProgress; moment: PushMoment },
): Promise<boolean> {
  const stored: TaskChange = moment === "working" ? change : { ...change, heard: atRest(heard) };
  if (!deployment.pushing) return await deployment.tasks.change(task.task_id, stored);
  let made = false;
  const created = platform.clock.now();
  const letters = (pushes: readonly TaskPush[]): PushLetter[] => {
    made = true;
    return pushes.flatMap((push) =>
      pushTexts(task, heard, moment, push.dialect).map(({ contentType, ...text }) => ({
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
  const changed = await deployment.tasks.change(task.task_id, { ...stored, letters });
  if (made) deployment.pushDue();
  return changed;
}

/** What was posted, or waits to be. Nothing of a deployment that is being removed. */
export async function listPushDeliveries(
  platform: Platform,
  name: string,
  filter: LetterFilter,
): Promise<PushDelivery[]> {
  return (await platform.find(name)?.letters.list(filter)) ?? [];
}
