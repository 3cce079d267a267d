/** A model of a thread: the steps of the tests, and the state after each. Pure. */
import fc from "fast-check";
import type { MultitaskStrategy, RunStatus } from "../../lib/protocol/runs.ts";
import { type HowItEnds, valuesOf } from "./scripted-worker.ts";

export type Step =
  | { do: "start"; strategy: MultitaskStrategy; create: boolean; resume: boolean }
  | { do: "end"; how: HowItEnds }
  /** `which` is an index among all runs of the thread. */
  | { do: "cancel"; which: number; action: "interrupt" | "rollback" }
  | { do: "delete run"; which: number }
  | { do: "delete thread" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("start" as const),
      strategy: fc.constantFrom("enqueue", "enqueue", "reject", "interrupt", "rollback"),
      create: fc.boolean(),
      resume: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      how: fc.constantFrom("success", "success", "waits", "error", "crashed", "crashed", "stopped"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("cancel" as const),
      which: fc.nat(),
      action: fc.constantFrom("interrupt", "rollback"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete run" as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete thread" as const) }) },
);

/** Generates steps; some of them run in parallel, in an unknown order. */
export const story = fc.array(
  fc.record({
    thread: fc.nat(1),
    steps: fc.oneof(
      { weight: 4, arbitrary: fc.array(step, { minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(step, { minLength: 2, maxLength: 4 }) },
    ),
  }),
  { minLength: 1, maxLength: 12 },
);
export type Story = { thread: number; steps: Step[] }[];

export interface ThreadModel {
  there: boolean;
  /** Runs that have not ended, in their order; the first executes. */
  queue: { id: string; crashes: number }[];
  /** The status that the last run left. */
  rest: "idle" | "interrupted" | "error";
  waiting: boolean;
  /** JSON text. */
  values: string | null;
  /** Every run of the thread, with its status once it has ended. */
  known: Map<string, RunStatus | "under way" | "gone">;
  /** Runs that were deleted by a request after their end. */
  deleted: Set<string>;
}

export const newModel = (): ThreadModel => ({
  there: true,
  queue: [],
  rest: "idle",
  waiting: false,
  values: null,
  known: new Map(),
  deleted: new Set(),
});

export function runAt(model: ThreadModel, which: number): string | undefined {
  return [...model.known.keys()][which % model.known.size];
}

export const statusOf = ({ queue, rest }: ThreadModel): string => (queue.length > 0 ? "busy" : rest);

/** Returns why a step is refused; undefined when it is not. */
export function refusal(model: ThreadModel, step: Step): string | undefined {
  if (step.do === "delete thread") return model.there ? undefined : "not_found";
  if (step.do !== "start") return undefined;
  if (!model.there) return step.create ? undefined : "not_found";
  if (step.resume && !model.waiting && model.queue.length === 0) return "invalid";
  return step.strategy === "reject" && model.queue.length > 0 ? "conflict" : undefined;
}

/** Returns the thread after a step that was not refused; `started` is the run that it made. */
export function apply(model: ThreadModel, step: Step, started = ""): void {
  switch (step.do) {
    case "start": {
      if (!model.there) Object.assign(model, { ...newModel(), known: model.known, deleted: model.deleted });
      const { strategy } = step;
      if (strategy === "interrupt" || strategy === "rollback")
        for (const { id } of model.queue.toReversed()) stop(model, id, strategy);
      model.queue.push({ id: started, crashes: 0 });
      model.known.set(started, "under way");
      return;
    }
    case "end":
      end(model, step.how);
      return;
    case "cancel": {
      const id = runAt(model, step.which);
      if (id !== undefined) stop(model, id, step.action);
      return;
    }
    case "delete run": {
      const id = runAt(model, step.which);
      if (id !== undefined && model.known.get(id) !== "under way") model.known.set(id, "gone");
      return;
    }
    case "delete thread":
      for (const id of model.known.keys()) model.known.set(id, "gone");
      model.queue = [];
      model.there = false;
  }
}

/** An executing run leaves its state. A run that waited, or is rolled back, leaves none. */
function stop(model: ThreadModel, id: string, action: "interrupt" | "rollback"): void {
  const place = model.queue.findIndex((run) => run.id === id);
  if (place < 0) return;
  model.queue.splice(place, 1);
  model.known.set(id, action === "rollback" ? "gone" : "interrupted");
  if (place === 0 && action === "interrupt") {
    model.values = valuesOf(id);
    model.waiting = false;
  }
  model.rest = model.waiting ? "interrupted" : "idle";
}

const CRASHES = 3;

function end(model: ThreadModel, how: HowItEnds): void {
  const [head] = model.queue;
  if (!head) return;
  // A run that is lost begins again, unless it was lost in too many crashes.
  if (how === "stopped" || (how === "crashed" && ++head.crashes < CRASHES)) return;
  model.queue.shift();
  const failed = how === "error" || how === "crashed";
  model.known.set(head.id, failed ? "error" : "success");
  if (how !== "crashed") {
    model.values = valuesOf(head.id);
    model.waiting = how === "waits";
  }
  model.rest = failed ? "error" : model.waiting ? "interrupted" : "idle";
}
