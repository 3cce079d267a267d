/** Events of made-up runs. */
import { foldRunEvents } from "../../../lib/rules/studio/fold.ts";
import { beginStudioRun, type StudioRun } from "../../../lib/rules/studio/run.ts";
import type { ParsedEvent } from "../../../lib/rules/threads/transcript.ts";

type Told = readonly [event: string, data: unknown];

/** Numbers events from 0. Undefined is an event that is missing. */
export function told(...list: (Told | undefined)[]): ParsedEvent[] {
  return list.flatMap((one, id) => (one ? [{ id, event: one[0], data: one[1] }] : []));
}

export const foldTold = (...list: (Told | undefined)[]): StudioRun => foldRunEvents(beginStudioRun(), told(...list));

export const started = (id: string, name: string, step: number, more: object = {}) => ({
  type: "task",
  step,
  timestamp: "2026-11-23T22:24:23Z",
  payload: { id, name, input: {}, triggers: [], ...more },
});

export const ended = (id: string, name: string, step: number, more: object = {}) => ({
  type: "task_result",
  step,
  timestamp: "2026-11-23T22:24:25Z",
  payload: { id, name, result: {}, interrupts: [], ...more },
});

/** A checkpoint after a step. `next` are the tasks that it tells: their names by their ids. */
export const saved = (step: number, next: Readonly<Record<string, string>> = {}, more: object = {}) => ({
  type: "checkpoint",
  step,
  timestamp: "2026-11-23T22:24:26Z",
  payload: {
    values: { step },
    metadata: { step, source: "loop" },
    next: Object.values(next),
    tasks: Object.entries(next).map(([id, name]) => ({ id, name, interrupts: [] })),
    checkpoint: { checkpoint_id: `c${step}` },
    parent_checkpoint: { checkpoint_id: `c${step - 1}` },
    ...more,
  },
});

/** Returns the status of each task by its id. */
export const statusesOf = (run: StudioRun): Record<string, string> =>
  Object.fromEntries([...run.tasks].map(({ id, status }) => [id, status]));
