import type { RunStatus } from "../../protocol/runs.ts";
import { END, type RunEvent } from "../../protocol/stream.ts";
import type { AgentTree, ThreadEvent } from "../../protocol/thread-stream.ts";
import { hasEnded, hasStoredEvents } from "../../rules/runs/state.ts";
import { foldRun, positionAfter, seqBefore } from "../../rules/thread-stream/fold.ts";
import { growingTree } from "../../rules/thread-stream/tree.ts";
import { follow, newestEvent } from "../follow.ts";
import type { Deployment, StoredRun } from "../ports/ports.ts";

/** The number of runs that one query reads. */
const RUNS = 64;

/** A run that has begun on its thread. */
export type BegunRun = StoredRun & { position: number };

type Log = Pick<Deployment, "log" | "runs">;

/**
 * Yields the runs of a thread from a position on, in the order in which they began, as they begin. Ends when `signal`
 * aborts. The thread need not exist yet.
 */
export async function* followRuns(
  deployment: Log,
  threadId: string,
  position: number,
  signal?: AbortSignal,
): AsyncGenerator<BegunRun, void, undefined> {
  // The watch is opened before reading: a run that begins between the two is found by the next round.
  const watch = deployment.log.watch(threadId);
  let next = position;
  try {
    while (signal?.aborted !== true) {
      const runs = await deployment.runs.begun(threadId, next, RUNS);
      for (const run of runs.filter(hasBegun)) {
        next = run.position + 1;
        yield run;
      }
      if (runs.length < RUNS) await watch.begun(signal);
    }
  } finally {
    watch.close();
  }
}

export function hasBegun(run: StoredRun): run is BegunRun {
  return run.position !== undefined;
}

/** Events of one run of a thread. */
export interface ThreadBatch {
  /** Position of the run in its thread. */
  readonly run: number;
  readonly events: readonly ThreadEvent[];
  /** The events by which the run ends, after the others. Empty for a run that is left out; undefined before the end. */
  readonly end?: readonly ThreadEvent[];
}

/**
 * Yields the events of a thread in the thread streaming protocol, in batches: those of all runs that can be replayed,
 * from the first, then new ones. With `since`, runs that ended before are left out.
 */
export async function* followThread(
  deployment: Log,
  threadId: string,
  { since = 0, signal }: { since?: number; signal?: AbortSignal } = {},
): AsyncGenerator<ThreadBatch, void, undefined> {
  for await (const run of followRuns(deployment, threadId, 0, signal)) {
    if (isReplayable(deployment, run) && !(await isPast(deployment, run, since)))
      yield* batchesOf(deployment, run, signal);
    else yield { run: run.position, events: [], end: [] };
  }
}

async function* batchesOf(
  deployment: Log,
  stored: BegunRun,
  signal: AbortSignal | undefined,
): AsyncGenerator<ThreadBatch, void, undefined> {
  const fold = foldRun(stored);
  const run = stored.position;
  let hasEvents = false;
  for await (const batch of follow(deployment, stored.run_id, -1, signal)) {
    const last = batch.at(-1);
    if (last?.event === END) {
      const events = batch.slice(0, -1).flatMap((event) => fold.take(event));
      yield { run, events, end: fold.take(last) };
      return;
    }
    yield { run, events: batch.flatMap((event) => fold.take(event)) };
    hasEvents = true;
  }
  if (signal?.aborted === true) return;
  // A reader that was so slow that the remaining events were deleted gets the end alone.
  const now = hasEvents ? ((await deployment.runs.get(stored.run_id)) ?? stored) : undefined;
  const hasEndedNow = now !== undefined && hasEnded(now.status);
  const end = hasEndedNow
    ? fold.take({ id: now.last_event, event: END, data: JSON.stringify({ status: now.status }) })
    : [];
  yield { run, events: [], end };
}

/** Returns whether a run's events can be read: they are stored, or still in memory. */
export function isReplayable({ log }: Pick<Log, "log">, run: StoredRun): boolean {
  return hasStoredEvents(run) || log.newest(run.run_id) !== undefined;
}

async function isPast({ log }: Pick<Log, "log">, run: BegunRun, since: number): Promise<boolean> {
  if (await log.isLive(run.run_id)) return false;
  return seqBefore(positionAfter(run.position, newestEvent({ log }, run) + 1)) <= since;
}

/** Returns the position of the newest event of a thread, -1 before the first. */
export async function newestPosition(
  deployment: Pick<Deployment, "log" | "runs" | "threads">,
  threadId: string,
): Promise<number> {
  const running = (await deployment.runs.inFlight(threadId)).find(hasBegun);
  if (running) return running.position + newestEvent(deployment, running);
  return ((await deployment.threads.get(threadId))?.position ?? 0) - 1;
}

/** Returns the highest number that an event of the thread may have by now. Later events have higher ones. */
export async function appliedThrough(deployment: Pick<Deployment, "log" | "runs" | "threads">, threadId: string) {
  return seqBefore((await newestPosition(deployment, threadId)) + 1);
}

function endOf(status: RunStatus): AgentTree["status"] {
  if (status === "success") return "completed";
  return status === "interrupted" ? "interrupted" : "failed";
}

/** Yields the past events of a run about its status: lifecycle events and requests for input. */
export async function* pastEvents({ log }: Pick<Deployment, "log">, run: BegunRun): AsyncGenerator<ThreadEvent> {
  const fold = foldRun(run);
  let seen = -1;
  for (;;) {
    const events: readonly RunEvent[] = await log.read(run.run_id, seen);
    yield* events.flatMap((event) => fold.take(event)).filter(({ method }) => STATUS_METHODS.has(method));
    const last = events.at(-1);
    if (!last || last.event === END) return;
    seen = last.id;
  }
}

const STATUS_METHODS = new Set(["lifecycle", "input.requested"]);

/** Returns the namespaces of a run so far. Of a run that ended long ago only the root is known. */
export async function readTree(deployment: Pick<Deployment, "log">, run: BegunRun): Promise<AgentTree> {
  const tree = growingTree(run.graph_id);
  let hasEvents = false;
  for await (const event of pastEvents(deployment, run)) {
    if (event.method !== "lifecycle") continue;
    tree.grow(event);
    hasEvents = true;
  }
  return hasEvents || !hasEnded(run.status) ? tree.root : { ...tree.root, status: endOf(run.status) };
}
