import { type BuildStep, buildSteps } from "../../protocol/build-steps.ts";
import type { Revision } from "../../protocol/revisions.ts";

/** The usual duration of a build, in ms. */
export interface TypicalTimes {
  /** The sum of all steps. */
  total: number;
  steps: Partial<Record<BuildStep, number>>;
}

type Timed = Pick<Revision, "live_at" | "steps">;

/** Returns medians of revisions that went live, either only built or only reused ones; undefined without any. */
export function typicalTimes(revisions: readonly Timed[], builds: boolean): TypicalTimes | undefined {
  const alike = revisions.filter((one) => one.live_at !== null && isBuilt(one) === builds).map(stepTimes);
  if (alike.length === 0) return undefined;
  const steps: TypicalTimes["steps"] = {};
  for (const step of buildSteps) {
    const times = alike.map((one) => one.get(step)).filter((time) => time !== undefined);
    if (times.length > 0) steps[step] = median(times);
  }
  return { total: median(alike.map(sumOf)), steps };
}

/** Returns whether the revision was built, and not only started. */
export function isBuilt({ steps }: Pick<Revision, "steps">): boolean {
  return steps.some((one) => one.step === "cloning");
}

/** Returns the duration of each finished step, in ms. */
export function stepTimes({ steps }: Pick<Revision, "steps">): Map<BuildStep, number> {
  const times = new Map<BuildStep, number>();
  for (const { step, started_at, ended_at } of steps) {
    if (ended_at !== null) times.set(step, Math.max(0, Date.parse(ended_at) - Date.parse(started_at)));
  }
  return times;
}

/** Returns the duration of all finished steps, in ms. */
export function totalTime(revision: Pick<Revision, "steps">): number {
  return sumOf(stepTimes(revision));
}

function sumOf(times: ReadonlyMap<BuildStep, number>): number {
  return [...times.values()].reduce((all, one) => all + one, 0);
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
