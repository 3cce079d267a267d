/** Invariants of threads, checked with random stories, the real engine and a real database. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import { cancelRun } from "../../lib/engine/runs/cancel.ts";
import type { Loop } from "../../lib/engine/loop.ts";
import { createDispatcher } from "../../lib/engine/runs/dispatcher.ts";
import type { Deployment, StoredRun } from "../../lib/engine/ports/ports.ts";
import { startRun } from "../../lib/engine/runs/runs.ts";
import type { StoredThread } from "../../lib/engine/ports/threads.ts";
import { deleteThread } from "../../lib/engine/threads/threads.ts";
import { isFault } from "../../lib/protocol/faults.ts";
import { RunCreate } from "../../lib/protocol/runs.ts";
import { type OpenedDatabase, serveForTest, type ServedForTest } from "./served.ts";
import { scriptedWorker, type ScriptedWorker } from "./scripted-worker.ts";
import {
  apply,
  newModel,
  refusal,
  runAt,
  statusOf,
  type Step,
  type Story,
  story,
  type ThreadModel,
} from "./thread-model.ts";

/** The number of stories that run in parallel on one database, as the threads of a server do. */
const AT_A_TIME = 32;

interface ServedWithWorker extends ServedForTest {
  worker: ScriptedWorker;
}

/** Runs so many stories; the message of a failure says how to repeat it. */
export async function keepsTheLaws(count: number, opened: OpenedDatabase): Promise<void> {
  let dispatcher: Loop | undefined;
  const worker: ScriptedWorker = scriptedWorker(() => served.deployment.checkpoints);
  const served = await serveForTest({ worker, wake: (due) => dispatcher?.wake(due) }, opened);
  const { deployment, platform, clock } = served;
  dispatcher = createDispatcher(deployment, { slots: 10_000, clock, logger: platform.logger });
  const seed = Date.now();
  const stories = fc.sample(story, { numRuns: count, seed }).entries();
  let failed = false;
  const live = async (): Promise<void> => {
    for (const [number, story] of stories) {
      if (failed) return;
      try {
        await liveThrough({ ...served, worker }, story);
      } catch (error) {
        failed = true;
        const steps = story.map((one) => JSON.stringify(one)).join("\n");
        throw new Error(`story ${number} of seed ${seed}:\n${steps}\n${String(error)}`, { cause: error });
      }
    }
  };
  try {
    const lives = await Promise.allSettled(Array.from({ length: AT_A_TIME }, live));
    for (const life of lives) if (life.status === "rejected") throw life.reason;
    await worker.stop(0);
    await dispatcher.stop();
    expect(worker.overlaps).toEqual([]);
    expect(served.logged).toEqual([]);
    await expectEmpty(opened);
  } finally {
    await worker.stop(0);
    await dispatcher.stop();
    await served.close();
  }
}

/** All threads have been deleted. */
async function expectEmpty({ db }: OpenedDatabase): Promise<void> {
  const tables = ["threads", "runs", "run_events", "checkpoints", "checkpoint_values", "checkpoint_writes"] as const;
  for (const table of tables) expect(await db.selectFrom(table).selectAll().limit(1).execute(), table).toEqual([]);
}

interface Thread {
  id: string;
  model: ThreadModel;
}

async function liveThrough(served: ServedWithWorker, story: Story): Promise<void> {
  const threads = [0, 1].map((): Thread => ({ id: randomUUID(), model: newModel() }));
  for (const { id } of threads) {
    const created_at = new Date(served.clock.now()).toISOString();
    await served.deployment.threads.insert({ thread_id: id, metadata: {}, config: {}, created_at });
  }
  for (const { thread: place, steps } of story) {
    const thread = threads[place];
    if (!thread) continue;
    const [step] = steps;
    if (steps.length === 1 && step) {
      const refused = refusal(thread.model, step);
      const result = await perform(served, thread, step);
      expect(result.fault, step.do).toBe(refused);
      if (refused === undefined) apply(thread.model, step, result.run);
      await expectAsModelled(served, thread, await comeToRest(served, thread));
    } else {
      const results = await Promise.all(steps.map((step) => perform(served, thread, step)));
      for (const { run } of results) if (run !== undefined) thread.model.known.set(run, "under way");
      await adopt(served, thread, await comeToRest(served, thread));
    }
  }
  for (const thread of threads) await expectNothingLeft(served, thread);
}

interface StepResult {
  fault?: string;
  /** Id of the run that was started. */
  run?: string;
}

async function perform(
  { platform, deployment, worker }: ServedWithWorker,
  { id, model }: Thread,
  step: Step,
): Promise<StepResult> {
  try {
    switch (step.do) {
      case "start": {
        const { strategy, create, resume } = step;
        const request = RunCreate.parse({
          assistant_id: "agent",
          input: {},
          command: resume ? { resume: "yes" } : undefined,
          multitask_strategy: strategy,
          if_not_exists: create ? "create" : "reject",
          stream_resumable: create,
        });
        return { run: (await startRun(platform, deployment, request, { threadId: id })).run_id };
      }
      case "end":
        worker.on(id)?.end(step.how);
        return {};
      case "cancel": {
        const run = runAt(model, step.which);
        if (run !== undefined) await cancelRun(deployment, run, step.action);
        return {};
      }
      case "delete run": {
        const run = runAt(model, step.which);
        // The checkpoints stay: the thread continues from them.
        if (run !== undefined && (await deployment.runs.delete(run))) model.deleted.add(run);
        return {};
      }
      case "delete thread":
        await deleteThread(deployment, id);
        return {};
    }
  } catch (error) {
    if (isFault(error)) return { fault: error.code };
    throw error;
  }
}

/** A thread that has not come to rest after this time, in ms, is stuck. */
const STUCK_MS = 60_000;
/** Turns of the event loop between two reads of the database; a commit takes some turns. */
const TURNS_PER_READ = 4;

/** Resolves with the runs that have not ended, in their order. */
async function comeToRest({ deployment, worker }: ServedWithWorker, { id }: Thread): Promise<readonly StoredRun[]> {
  const stuck = performance.now() + STUCK_MS;
  for (let turn = 1; performance.now() < stuck; turn++) {
    await new Promise(setImmediate);
    const execution = worker.on(id);
    if (turn % TURNS_PER_READ > 0 || (execution && (!execution.settled || execution.cancelled))) continue;
    const inFlight = await deployment.runs.inFlight(id);
    if (inFlight[0]?.run_id === execution?.run && execution === worker.on(id)) return inFlight;
  }
  const inFlight = (await deployment.runs.inFlight(id)).map(({ run_id, status }) => ({ run_id, status }));
  throw new Error(`stuck: ${JSON.stringify({ inFlight, executing: worker.on(id)?.run })}`);
}

/** Checks what always holds: one run executes at a time, in order, and the thread's status says whether one does. */
function expectLawful(
  inFlight: readonly StoredRun[],
  thread: StoredThread | undefined,
  begun: readonly string[],
): void {
  expect(inFlight.map((run) => run.status)).toEqual(inFlight.map((_, place) => (place === 0 ? "running" : "pending")));
  // Ids of runs increase; a run that was lost begins again.
  expect(begun).toEqual(begun.toSorted());
  if (inFlight.length > 0) expect(thread?.status).toBe("busy");
  else expect(thread?.status).not.toBe("busy");
}

async function expectAsModelled(
  { deployment, worker }: ServedWithWorker,
  { id, model }: Thread,
  inFlight: readonly StoredRun[],
) {
  const thread = await deployment.threads.get(id);
  expectLawful(inFlight, thread, worker.begun(id));
  expect(inFlight.map((run) => run.run_id)).toEqual(model.queue.map((run) => run.id));
  const { status, resumable, values } = thread ?? {};
  expect(thread && { status, waiting: resumable, values: values && JSON.stringify(values) }).toEqual(
    model.there ? { status: statusOf(model), waiting: model.waiting, values: model.values } : undefined,
  );
}

/** After parallel steps only the invariants restrict the thread; the model continues from its actual state. */
async function adopt({ deployment, worker }: ServedWithWorker, { id, model }: Thread, inFlight: readonly StoredRun[]) {
  const thread = await deployment.threads.get(id);
  expectLawful(inFlight, thread, worker.begun(id));
  const stored = new Map((await listOf(deployment, id)).map((run) => [run.run_id, run.status]));
  for (const [run, before] of model.known) {
    const status = stored.get(run) ?? "gone";
    if (before !== "under way" && status !== "gone") expect(status).toBe(before);
    model.known.set(run, status === "pending" || status === "running" ? "under way" : status);
  }
  model.there = thread !== undefined;
  model.queue = inFlight.map((run) => ({ id: run.run_id, crashes: run.crashes }));
  model.waiting = thread?.resumable ?? false;
  model.values = thread?.values ? JSON.stringify(thread.values) : null;
  if (thread && thread.status !== "busy") model.rest = thread.status;
}

async function ended({ log }: Deployment, run: string): Promise<void> {
  const stuck = performance.now() + STUCK_MS;
  while (log.isLive(run) && performance.now() < stuck) await new Promise(setImmediate);
}

function listOf({ runs }: Deployment, thread: string): Promise<StoredRun[]> {
  return runs.listOf(thread, { limit: 1_000, offset: 0 });
}

/** Checks that nothing is left of runs that were rolled back or deleted, and that none of them is followed. */
async function expectNothingLeft(
  { deployment, runEvents, worker }: ServedWithWorker,
  { id, model }: Thread,
): Promise<void> {
  const stored = new Map((await listOf(deployment, id)).map((run) => [run.run_id, run.status]));
  for (const [run, status] of model.known) {
    expect(stored.has(run)).toBe(status !== "gone");
    // Another connection sees a commit before the engine does, which then ends the log.
    if (status !== "under way") await ended(deployment, run);
    expect(deployment.log.isLive(run)).toBe(status === "under way");
    if (status === "gone") expect(await runEvents.read(run, -1, 10)).toEqual([]);
  }
  const { checkpoints } = await deployment.checkpoints.list({ thread: id });
  const made = checkpoints.map(({ metadata }) => (JSON.parse(metadata) as { run_id: string }).run_id);
  expect(made.filter((run) => !stored.has(run) && !model.deleted.has(run))).toEqual([]);
  if (model.there) await deleteThread(deployment, id);
  for (const run of model.known.keys()) expect(deployment.log.isLive(run)).toBe(false);
  worker.forget(id);
}
