/** Keeps the inputs of tasks: all small ones, and the newest large ones. */
import { isObject } from "../../protocol/json.ts";
import { applyDifference, differenceOf } from "./state-difference.ts";
import type { StudioRun, StudioTask } from "./run.ts";

/** A value of more characters and members than this is large. */
const LARGE = 4000;
/** The most large inputs of a run. An input is often the whole state, which grows with every step. */
const MOST_LARGE = 50;

/** Returns whether a value is large. It is walked only up to that size. */
function isLarge(value: unknown): boolean {
  let left = LARGE;
  const take = (one: unknown): void => {
    left -= typeof one === "string" ? one.length + 1 : 1;
    if (left < 0) return;
    if (Array.isArray(one)) for (let at = 0; at < one.length && left >= 0; at++) take(one[at]);
    else if (isObject(one)) for (const key in one) if (left >= 0) take(one[key]);
  };
  take(value);
  return left < 0;
}

/** Returns `value` with those parts of `known` that are equal, so that they are held once. */
export function sharedWith(known: unknown, value: unknown): unknown {
  return known === undefined ? value : applyDifference(known, differenceOf(known, value));
}

/** Notes that a task has an input. The oldest large one is dropped when there are too many. */
export function withInputKept(run: StudioRun, task: StudioTask): StudioRun {
  if (!isLarge(task.input) || run.largeInputs.includes(task.id)) return run;
  const largeInputs = [...run.largeInputs, task.id];
  if (largeInputs.length <= MOST_LARGE) return { ...run, largeInputs };
  const [oldest = "", ...rest] = largeInputs;
  const dropped = run.tasks.get(oldest);
  if (!dropped) return { ...run, largeInputs: rest };
  const { input: _input, ...others } = dropped;
  const tasks = run.tasks.with(oldest, { ...others, isInputLeftOut: true });
  return { ...run, largeInputs: rest, tasks };
}
