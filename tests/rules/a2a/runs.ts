import fc from "fast-check";
import type { Task, TaskUpdate } from "../../../lib/protocol/a2a.ts";
import type { RunEvent } from "../../../lib/protocol/stream.ts";
import type { StoredTask } from "../../../lib/protocol/tasks.ts";
import { atRest, beginRun, beginTask, foldEvent, type TaskProgress } from "../../../lib/rules/a2a/task-fold.ts";
import { taskOf } from "../../../lib/rules/a2a/task.ts";
import { nextUpdates, initialUpdates, taskSnapshot } from "../../../lib/rules/a2a/task-updates.ts";

export const START = Date.UTC(2026, 0, 5, 10);
export const stored: StoredTask = {
  task_id: "task",
  assistant_id: "assistant",
  context_id: "context",
  thread_id: "thread",
  run_ids: ["task"],
  artifact_id: "artifact",
  history: [{ messageId: "asked", role: "user", parts: [{ kind: "text", text: "hi" }] }],
  metadata: {},
  created_at: new Date(START).toISOString(),
  state: "submitted",
  status_at: new Date(START).toISOString(),
};

export interface Batch {
  readonly events: readonly RunEvent[];
  /** The ms since the batch before. */
  readonly ms: number;
}

export interface Played {
  updates: TaskUpdate[];
  task: Task;
  progress: TaskProgress;
}

/** Returns the updates that a listener receives of a run with these batches of events, and the task after them. */
export function play(batches: readonly Batch[]): Played {
  return playOn(stored, batches);
}

/** Does the same for the run that a person's answer starts, after the interrupted task has been stored. */
export function playAnswer({ progress }: Played, batches: readonly Batch[]): Played {
  const answer = { messageId: "answer", role: "user", parts: [{ kind: "text", text: "yes" }] } as const;
  const at = new Date(START + 60_000).toISOString();
  const more = { run_ids: ["task", "next"], history: [...stored.history, answer], status_at: at };
  const row = { ...stored, ...more, progress: atRest(progress) };
  return playOn(JSON.parse(JSON.stringify(row)) as typeof row, batches);
}

function playOn(task: StoredTask & { progress?: TaskProgress }, batches: readonly Batch[]): Played {
  let progress = beginRun(task);
  let now = START;
  let sent = initialUpdates(task, progress);
  const updates = [taskSnapshot(task, progress, sent)];
  for (const { events, ms } of batches) {
    now += ms;
    for (const event of events) progress = foldEvent(progress, event, new Date(now).toISOString());
    const next = nextUpdates(task, sent, progress, now);
    sent = next.sent;
    updates.push(...next.updates);
  }
  return { updates, task: taskOf(task, progress), progress };
}

const id = fc.constantFrom("asked", "m1", "m2", "m3");
const text = fc.oneof(fc.string(), fc.constantFrom("Hello", " world", "Hel", ""));
const mediaType = fc.constantFrom("image/png", "application/pdf", undefined);
const file = fc.oneof(
  fc.record({ type: fc.constant("image_url"), image_url: fc.oneof(fc.webUrl(), fc.record({ url: fc.webUrl() })) }),
  fc.record({ type: fc.constant("file"), data: fc.base64String(), mime_type: mediaType, url: fc.webUrl() }),
  fc.record({ type: fc.constant("data"), data: fc.jsonValue() }),
);
const a2a = fc.record({ a2a: fc.record({ state: fc.constantFrom("rejected", "failed", "input-required", "lost") }) });
const content = fc.oneof(
  text,
  fc.array(
    fc.oneof(fc.record({ type: fc.constant("text"), text }), fc.record({ type: fc.constant("thinking") }), text, file),
  ),
);
const message = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom("ai", "AIMessageChunk"), content, id }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("ai"), content, id, tool_calls: fc.constant([{ id: "c", name: "t" }]) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("ai"), content, id, additional_kwargs: a2a }) },
  { weight: 2, arbitrary: fc.record({ role: fc.constantFrom("assistant", "user", "ai"), content }) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom("ai", "user"), text) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom("human", "tool"), content, id }) },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const interrupts = fc.array(fc.record({ id: fc.constantFrom("i1", "i2"), value: fc.jsonValue() }), { maxLength: 2 });
const artifacts = fc.array(
  fc.oneof(
    fc.record({ name: text, parts: fc.array(fc.oneof(fc.record({ text }), file), { maxLength: 2 }) }),
    fc.record({ data: fc.jsonValue() }),
    fc.jsonValue(),
  ),
  { maxLength: 3 },
);
const messages = fc.oneof(fc.array(message, { maxLength: 3 }), message);
const node = fc.oneof(fc.record({ messages }), fc.record({ n: fc.nat() }), fc.jsonValue());
const eventOf = (event: string, data: fc.Arbitrary<unknown>, weight: number) => ({
  weight,
  arbitrary: data.map((value) => ({ event, data: JSON.stringify(value) })),
});

/** Any event that a run may emit, sensible or not. `run` adds the end. */
const event = fc.oneof(
  eventOf("metadata", fc.record({ run_id: fc.constant("task"), attempt: fc.nat() }), 2),
  eventOf("messages", fc.tuple(message, fc.constant({})), 10),
  eventOf("updates", fc.dictionary(fc.constantFrom("a", "b"), fc.oneof(node, fc.array(node, { maxLength: 2 }))), 5),
  eventOf("updates", fc.record({ __interrupt__: interrupts }), 1),
  eventOf("values", fc.record({ messages, artifacts, n: fc.nat(), metadata: a2a }, { requiredKeys: [] }), 3),
  eventOf("values", fc.record({ __interrupt__: interrupts }), 1),
  eventOf("error", fc.oneof(fc.record({ error: fc.string(), message: fc.string() }), fc.jsonValue()), 1),
  eventOf("custom", fc.jsonValue(), 1),
  eventOf("updates|child:1", fc.record({ a: fc.record({ messages }) }), 1),
  { weight: 1, arbitrary: fc.record({ event: fc.constantFrom("messages", "values", "error"), data: fc.string() }) },
);

const status = fc.constantFrom("success", "error", "interrupted", "timeout", "nonsense");

/** The events of a whole run in batches. The end is the last one, as the log guarantees. */
export const anyRun = fc
  .tuple(fc.array(event, { maxLength: 25 }), status, fc.infiniteStream(fc.tuple(fc.nat(4), fc.nat(80))))
  .map(([body, ending, cuts]) => {
    const events = [...body, { event: "end", data: JSON.stringify({ status: ending }) }].map((one, at) => ({
      ...one,
      id: at,
    }));
    const batches: Batch[] = [];
    for (let from = 0; from < events.length;) {
      const [length, ms] = cuts.next().value ?? [1, 0];
      batches.push({ events: events.slice(from, from + length), ms });
      from += length;
    }
    return batches;
  });

export const at = new Date(START + 1000).toISOString();
const numbered = (event: string, data: unknown, index: number): RunEvent => ({
  id: index,
  event,
  data: JSON.stringify(data),
});
export const events = (...list: [string, unknown][]): RunEvent[] =>
  list.map(([event, data], index) => numbered(event, data, index));
export const taskAfter = (...list: [string, unknown][]): Task =>
  taskOf(
    stored,
    events(...list).reduce((progress, event) => foldEvent(progress, event, at), beginTask(stored)),
  );
export const begun: [string, unknown] = ["metadata", { run_id: "task", attempt: 1 }];
export const ended = (status: string): [string, unknown] => ["end", { status }];
export const reply = (task: Task) => task.artifacts?.[0]?.parts;
