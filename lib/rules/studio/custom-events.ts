import { enterStep, graphOf } from "./graphs.ts";
import type { BoundedEvents, StudioCustomEvent, StudioRun } from "./run.ts";

/** How many of the first and of the last custom events of a step are kept. */
const KEPT = 50;

/** Adds a custom event to the step under way of its graph: which task sent it is not told. */
export function takeCustom(run: StudioRun, data: unknown, namespace: string): StudioRun {
  const entered = enterStep(run, namespace, undefined);
  const { stepKey } = graphOf(entered, namespace);
  const step = entered.steps.get(stepKey);
  if (!step) return entered;
  const custom = withEvent(step.custom, { id: run.seen, data });
  return { ...entered, steps: entered.steps.with(stepKey, { ...step, custom }) };
}

function withEvent({ first, last, leftOut }: BoundedEvents, event: StudioCustomEvent): BoundedEvents {
  if (first.length < KEPT) return { first: [...first, event], last, leftOut };
  if (last.length < KEPT) return { first, last: [...last, event], leftOut };
  return { first, last: [...last.slice(1), event], leftOut: leftOut + 1 };
}
