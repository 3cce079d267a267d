/** Folds starts and results of tasks. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { graphIn } from "./graphs.ts";
import { sharedWith, withInputKept } from "./inputs.ts";
import { withoutPieces, withResultMessages } from "./messages.ts";
import { withJoins } from "./moves.ts";
import { isAborted, readProblem } from "./problem.ts";
import type { StudioInterrupt, StudioRun, StudioTask } from "./run.ts";
import { ensureTask, settleInner, settlementOf, withoutInterrupts, withTask } from "./tasks.ts";

/** The facts of an event beside the task itself. */
export interface TaskTelling {
  readonly namespace: string;
  readonly step?: number;
  /** ms since the epoch. */
  readonly at?: number;
}

/** Returns whether a task event tells a start and not a result. */
const isStart = (payload: JsonObject): boolean => "triggers" in payload || "input" in payload;

export function takeTask(run: StudioRun, payload: JsonObject, telling: TaskTelling): StudioRun {
  const { id, name } = payload;
  if (typeof id !== "string" || typeof name !== "string") return run;
  const { namespace, step } = telling;
  const place = { namespace, id, name, ...(step === undefined ? {} : { step }) };
  const known = ensureTask({ ...run, tellsTasks: true }, place);
  const task = known.tasks.get(id);
  if (!task) return known;
  return isStart(payload) ? takeStart(known, task, payload, telling) : takeResult(known, task, payload, telling);
}

function takeStart(run: StudioRun, task: StudioTask, payload: JsonObject, { namespace, at }: TaskTelling): StudioRun {
  const input = "input" in payload ? { input: sharedWith(graphIn(run, namespace).values, payload.input) } : {};
  const joined = task.attempt === 0 ? withJoins(run, task, payload.triggers) : run;
  // The result of a task that is resumed with others is told before its start, and it does not run again.
  if (task.status === "done") return keep(joined, { ...task, ...input, toldAt: run.seen });
  const isAgain = task.status !== "running";
  // A task that waited for an answer goes on with it.
  const isNext = isAgain && (task.attempt === 0 || task.status !== "interrupted");
  const { endedAt: _ended, error: _error, retried: _retried, ...rest } = task;
  const started: StudioTask = {
    ...rest,
    ...input,
    status: "running",
    ...(at === undefined ? {} : { startedAt: isAgain ? at : (task.startedAt ?? at) }),
    attempt: task.attempt + (isNext ? 1 : 0),
    interrupts: [],
    isCached: false,
    toldAt: run.seen,
  };
  const asked = withoutInterrupts(joined, task);
  return keep(isAgain && task.attempt > 0 ? withoutPieces(asked, task) : asked, started);
}

function keep(run: StudioRun, task: StudioTask): StudioRun {
  return withInputKept(withTask(run, task), task);
}

function takeResult(run: StudioRun, task: StudioTask, payload: JsonObject, { at }: TaskTelling): StudioRun {
  const { retried } = payload;
  const errors = Array.isArray(retried) ? retried.filter((one) => typeof one === "string") : [];
  return endTask(run, task, {
    ...outcomeOf(payload, task),
    ...(errors.length === 0 ? {} : { retried: errors }),
    ...(at === undefined ? {} : { endedAt: at }),
  });
}

export type TaskOutcome = Pick<StudioTask, "status" | "interrupts"> &
  Partial<Pick<StudioTask, "result" | "error" | "retried" | "endedAt" | "isCached">>;

/** Reads what a result, or a task of a state, tells of the end. */
export function outcomeOf(payload: JsonObject, task: Pick<StudioTask, "id" | "node">): TaskOutcome {
  const interrupts = interruptsOf(payload.interrupts, task);
  if (payload.error !== undefined && payload.error !== null) {
    const error = readProblem(payload.error);
    return { status: isAborted(error) ? "cancelled" : "failed", error, interrupts };
  }
  if (interrupts.length > 0) return { status: "interrupted", interrupts };
  return { status: "done", interrupts, result: resultOf(payload.result) };
}

/** Python tells what was written as a list of pairs. */
function resultOf(result: unknown): unknown {
  const isPairs = Array.isArray(result) && result.length > 0 && result.every(isPair);
  return isPairs ? Object.fromEntries(result) : result;
}

const isPair = (one: unknown): one is [string, unknown] =>
  Array.isArray(one) && one.length === 2 && typeof one[0] === "string";

/** Reads interrupts. One without an id gets one from its task and place. */
export function interruptsOf(list: unknown, task?: Pick<StudioTask, "id" | "node">): StudioInterrupt[] {
  const told = Array.isArray(list) ? list.filter(isObject) : [];
  return told.map(({ id, interrupt_id, value }, index) => ({
    id: [id, interrupt_id].find((one) => typeof one === "string") ?? `${task?.id ?? "interrupt"}.${index}`,
    value,
    ...(task ? { task: task.id, node: task.node } : {}),
  }));
}

/** Ends a task, and with it the graph in it. */
export function endTask(run: StudioRun, task: StudioTask, outcome: TaskOutcome): StudioRun {
  const { error: _error, isCached: _cached, ...rest } = task;
  const { endedAt } = outcome;
  const ended: StudioTask = {
    ...rest,
    isCached: false,
    ...outcome,
    ...(task.endedAt === undefined || endedAt === undefined ? {} : { endedAt: task.endedAt }),
    attempt: Math.max(1, task.attempt),
    toldAt: run.seen,
  };
  const closed = settleInner(withTask(run, ended), ended, settlementOf(ended.status));
  const asked = withInterrupts(ended.status === "done" ? withoutInterrupts(closed, task) : closed, ended.interrupts);
  return withResultMessages(asked, ended, outcome.result);
}

/** Adds open interrupts. The task that raised one is told before those around it, which repeat it. */
export function withInterrupts(run: StudioRun, raised: readonly StudioInterrupt[]): StudioRun {
  if (raised.length === 0) return run;
  const all = new Map(run.interrupts.map((one) => [one.id, one]));
  for (const one of raised) if (all.get(one.id)?.task === undefined) all.set(one.id, one);
  return { ...run, interrupts: [...all.values()] };
}
