/** What is posted about a task, and in which order. */
import type { Dialect, Task, TaskUpdate } from "../../protocol/a2a.ts";
import { renderings } from "../../protocol/a2a-render.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { LetterKind } from "../../protocol/push-deliveries.ts";
import type { StoredTask } from "../../protocol/tasks.ts";
import type { Heard } from "./task-fold.ts";
import { taskOf } from "./task.ts";

/** When something is told of a run: while it works, as the task comes to rest, and as what rests is closed by hand. */
export type PushMoment = "working" | "rest" | "closed";

export interface PushText {
  /** The same for the same moment of the same run, higher for a later one. */
  readonly seq: number;
  readonly kind: LetterKind;
  readonly body: string;
  readonly contentType: string;
}

const MOMENTS: readonly PushMoment[] = ["working", "rest", "closed"];
/** Letters of one moment: more artifacts than any task has. */
const ROOM = 2 ** 20;

/** In v0.3 the task as it is; in v1.0 what has changed: at rest each artifact, then the status. */
export function pushTexts(task: StoredTask, heard: Heard, moment: PushMoment, dialect: Dialect): PushText[] {
  const first = (task.run_ids.length * MOMENTS.length + MOMENTS.indexOf(moment)) * ROOM;
  // A reply that is being written is told when it is whole.
  const shown = taskOf(task, heard, moment === "working" ? { artifacts: [] } : {});
  const things = dialect === "1.0" ? changes(shown, moment) : [taskThing(shown)];
  const contentType = dialect === "1.0" ? "application/a2a+json" : "application/json";
  return things.map(({ kind, body }, index) => ({ seq: first + index, kind, body: JSON.stringify(body), contentType }));
}

interface Thing {
  readonly kind: LetterKind;
  readonly body: JsonObject;
}

function taskThing(task: Task): Thing {
  return { kind: "task", body: renderings["0.3"].task(task) };
}

function changes({ id, contextId, status, artifacts = [] }: Task, moment: PushMoment): Thing[] {
  const ids = { taskId: id, contextId };
  const told = moment === "rest" ? artifacts : [];
  const updates: TaskUpdate[] = [
    ...told.map((artifact): TaskUpdate => ({ kind: "artifact", ...ids, artifact, append: false, lastChunk: true })),
    { kind: "status", ...ids, status, last: moment !== "working" },
  ];
  return updates.map((update) => ({
    kind: update.kind === "artifact" ? "artifact" : "status",
    body: renderings["1.0"].update(update),
  }));
}

/** What a letter shows to its receiver, beside what it says. */
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
