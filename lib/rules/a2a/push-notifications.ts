/** Builds the push notifications about a task, and defines their order. */
import type { Dialect, Task, TaskUpdate } from "../../protocol/a2a.ts";
import { renderings } from "../../protocol/a2a-render.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { NotificationKind } from "../../protocol/push-deliveries.ts";
import type { StoredTask } from "../../protocol/tasks.ts";
import type { TaskProgress } from "./task-fold.ts";
import { taskOf } from "./task.ts";

/** The moment of a notification: the run works, the task comes to rest, or a request closes a resting task. */
export type PushMoment = "working" | "rest" | "closed";

export interface PushText {
  /** The number of the notification: the same for the same moment of the same run, higher for a later one. */
  readonly seq: number;
  readonly kind: NotificationKind;
  readonly body: string;
  readonly contentType: string;
}

const MOMENTS: readonly PushMoment[] = ["working", "rest", "closed"];
/** The numbers that one moment may use: more than any task has artifacts. */
const NUMBERS_PER_MOMENT = 2 ** 20;

/** Returns the whole task for v0.3, and what has changed for v1.0: at rest each artifact, then the status. */
export function pushTexts(task: StoredTask, progress: TaskProgress, moment: PushMoment, dialect: Dialect): PushText[] {
  const first = (task.run_ids.length * MOMENTS.length + MOMENTS.indexOf(moment)) * NUMBERS_PER_MOMENT;
  // A reply that is still being written is sent when it is complete.
  const shown = taskOf(task, progress, moment === "working" ? { artifacts: [] } : {});
  const notifications = dialect === "1.0" ? changes(shown, moment) : [taskNotification(shown)];
  const contentType = dialect === "1.0" ? "application/a2a+json" : "application/json";
  return notifications.map(({ kind, body }, index) => ({
    seq: first + index,
    kind,
    body: JSON.stringify(body),
    contentType,
  }));
}

interface Notification {
  readonly kind: NotificationKind;
  readonly body: JsonObject;
}

function taskNotification(task: Task): Notification {
  return { kind: "task", body: renderings["0.3"].task(task) };
}

function changes({ id, contextId, status, artifacts = [] }: Task, moment: PushMoment): Notification[] {
  const ids = { taskId: id, contextId };
  const finished = moment === "rest" ? artifacts : [];
  const updates: TaskUpdate[] = [
    ...finished.map((artifact): TaskUpdate => ({ kind: "artifact", ...ids, artifact, append: false, lastChunk: true })),
    { kind: "status", ...ids, status, last: moment !== "working" },
  ];
  return updates.map((update) => ({
    kind: update.kind === "artifact" ? "artifact" : "status",
    body: renderings["1.0"].update(update),
  }));
}

/** Returns the headers that authenticate a notification to its receiver. */
export function pushHeaders({
  token,
  authentication,
}: {
  readonly token?: string;
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}): Record<string, string> {
  if (authentication?.credentials !== undefined) {
    return { authorization: `${authentication.scheme} ${authentication.credentials}` };
  }
  return token === undefined ? {} : { "x-a2a-notification-token": token };
}
