import { sql } from "kysely";
import type {
  Claim,
  Enqueued,
  NewRun,
  EnqueueOptions,
  ThreadRunsFilter,
  RunStore,
  StoredRun,
} from "../../engine/ports/ports.ts";
import type { RunOutcome } from "../../engine/ports/run-end.ts";
import type { RunEventStore } from "../../engine/ports/runs.ts";
import type { NewThread } from "../../engine/ports/threads.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { CancelAction, RunConfig } from "../../protocol/runs.ts";
import type { ThreadEnd } from "../../protocol/threads.ts";
import { openAfter } from "../../rules/interrupts/open-interrupts.ts";
import { type Loss, runTransitions } from "../../rules/runs/state.ts";
import { threadStatusAfter } from "../../rules/threads/status.ts";
import { advance } from "./crons.ts";
import type { GroupCommit } from "./group-commit.ts";
import { inFlightCount } from "./in-flight.ts";
import { fromJson } from "./json-column.ts";
import { CANCELLED, fromRow, ROLLBACK, toRow } from "./run-rows.ts";
import type { runClaims } from "./run-claims.ts";
import type { runReads, runWrites, threadWrites } from "./run-statements.ts";
import type { Db, Tables, ThreadsTable } from "./tables.ts";
import { writeTask } from "./tasks.ts";
import { forgetTokens } from "./run-tokens.ts";
import type { threadLocks } from "./thread-locks.ts";
import { addMetadata, deleteThread, labelThread } from "./thread-labels.ts";
import { WAITING } from "./thread-waiting.ts";
import { toThreadRow } from "./thread-rows.ts";

export type RunStatements = ReturnType<typeof runReads> &
  ReturnType<typeof runWrites> &
  ReturnType<typeof threadWrites> &
  Pick<ReturnType<typeof threadLocks>, "lock"> & { claim: ReturnType<typeof runClaims> };

/** Implements the methods of the run store that involve threads. */
export function threadRuns(
  db: Db,
  commit: GroupCommit<Tables>,
  statements: RunStatements,
): Pick<RunStore, "enqueue" | "listOf" | "begun" | "inFlight" | "markCancelled" | "delete"> &
  Pick<RunEventStore, "requeue"> {
  return {
    enqueue: (run, thread) => commit((tx) => enqueue(statements, tx, run, thread), { thread: run.thread_id }),
    listOf: (threadId, filter) => listOf(db, threadId, filter),
    begun: (threadId, position, limit) => begun(db, threadId, position, limit),
    inFlight: async (threadId) => (await statements.inFlight(db, { thread_id: threadId })).map(fromRow),
    markCancelled: (runId, action) => commit((tx) => markCancelled(tx, runId, action), { run: runId }),
    requeue: (claim, loss) => commit((tx) => requeue(tx, claim, loss), { run: claim.run_id }),
    delete: (runId) => commit((tx) => deleteRun(tx, runId), { run: runId }),
  };
}

async function enqueue(statements: RunStatements, tx: Db, run: NewRun, options: EnqueueOptions): Promise<Enqueued> {
  const { alone, metadata, configurable, create, firing, answers, task } = options;
  if (firing && !(await advance(tx, firing))) return "fired";
  const thread = await lockThread(statements, tx, run, create);
  if (!thread) return "missing";
  const { thread_id } = run;
  if (alone && (await inFlightCount(tx, thread_id)) > 0) return "busy";
  if (answers && (await areAnswered(tx, thread_id, answers))) return "answered";
  if (task && !(await writeTask(statements, tx, task, run.run_id))) return "answered";
  await statements.insert(tx, toRow(run));
  const config = addConfigurable(thread.config, configurable);
  await statements.setBusy(tx, { thread_id, config, metadata: await addMetadata(tx, thread, metadata) });
  return "stored";
}

type LockedThread = Pick<ThreadsTable, "thread_id" | "created_at" | "metadata" | "config">;

/** Locks a run's thread until the transaction ends. Creates a missing one if there is something to create. */
async function lockThread(
  statements: RunStatements,
  tx: Db,
  { thread_id, updated_at }: NewRun,
  create: NewThread | undefined,
): Promise<LockedThread | undefined> {
  const [existing] = await statements.lockThread(tx, { thread_id, updated_at });
  if (existing || !create) return existing;
  const row = toThreadRow(create);
  const [inserted] = await statements.insertThread(tx, row);
  if (inserted) {
    await labelThread(tx, create);
    return row;
  }
  // Another server has just created it.
  const [other] = await statements.lockThread(tx, { thread_id, updated_at });
  return other;
}

/** Returns the JSON text of a thread's configuration with `added` merged over its `configurable`. */
function addConfigurable(config: string, added: JsonObject = {}): string {
  if (Object.keys(added).length === 0) return config;
  const before = fromJson<RunConfig>(config);
  return JSON.stringify({ ...before, configurable: { ...before.configurable, ...added } });
}

async function areAnswered(
  tx: Db,
  threadId: string,
  { ids, seen, since }: NonNullable<EnqueueOptions["answers"]>,
): Promise<boolean> {
  const later = await tx
    .selectFrom("runs")
    .select(["run_id", "kwargs"])
    .where("thread_id", "=", threadId)
    .where("threaded", "=", sql.lit(1))
    .where((eb) => eb.or([eb("ended", "is", null), eb("ended", ">=", since)]))
    .execute();
  const unseen = later.filter(({ run_id }) => !seen.includes(run_id));
  return unseen.some(({ kwargs }) => openAfter(new Set(ids), fromJson(kwargs)).size < new Set(ids).size);
}

/**
 * Stores a thread's state and status after one of its runs has ended, in the transaction that ends the run. Returns how many
 * other runs of the thread have not ended.
 */
export async function settleThread(
  statements: RunStatements,
  tx: Db,
  threadId: string,
  outcome: RunOutcome,
  end: { updated_at: string; position: number | undefined; begun: boolean },
): Promise<number> {
  const { thread: state, status, error } = outcome;
  const locked = statements.lock(tx, threadId);
  const [[before]] = await Promise.all([statements.occupancy(tx, { thread_id: threadId }), locked]);
  if (!before) return 0;
  const waiting = state ? waitingIn(state, status) : before.waiting;
  const { updated_at, position } = end;
  const settled = {
    thread_id: threadId,
    status: threadStatusAfter(status, {
      waiting: waiting !== WAITING.nothing,
      begun: end.begun,
      inFlight: before.inFlight ?? 0,
    }),
    waiting,
    error: error ? JSON.stringify(error) : null,
    updated_at,
    position: position ?? null,
  };
  if (!state) await statements.settle(tx, settled);
  else {
    const { values, interrupts } = state;
    await statements.settleWithState(tx, { ...settled, values, interrupts: JSON.stringify(interrupts) });
  }
  return before.inFlight ?? 0;
}

function waitingIn({ next, interrupts }: ThreadEnd, status: RunOutcome["status"]): number {
  if (next.length === 0) return WAITING.nothing;
  const asks = Object.values(interrupts).some((list) => list.length > 0);
  return status === "success" || (status === "interrupted" && asks) ? WAITING.person : WAITING.stopped;
}

/** Deletes a thread that was created for one run, unless another of its runs is in flight. Ended runs lose it. */
export async function dropThread(tx: Db, threadId: string): Promise<void> {
  if ((await inFlightCount(tx, threadId)) > 0) return;
  await deleteThread(tx, threadId);
  await tx.updateTable("runs").set({ threaded: 0 }).where("thread_id", "=", threadId).execute();
}

export async function markBusy(tx: Db, threadIds: readonly string[]): Promise<void> {
  await tx.updateTable("threads").set({ status: "busy" }).where("thread_id", "in", threadIds).execute();
}

async function listOf(db: Db, threadId: string, { status, limit, offset }: ThreadRunsFilter): Promise<StoredRun[]> {
  let query = db.selectFrom("runs").selectAll().where("thread_id", "=", threadId).where("threaded", "=", sql.lit(1));
  if (status !== undefined) query = query.where("status", "=", status);
  const rows = await query
    .orderBy("created_at", "desc")
    .orderBy("run_id", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(fromRow);
}

async function begun(db: Db, threadId: string, position: number, limit: number): Promise<StoredRun[]> {
  const rows = await db
    .selectFrom("runs")
    .selectAll()
    .where("thread_id", "=", threadId)
    .where("threaded", "=", sql.lit(1))
    .where("position", ">=", position)
    .orderBy("position")
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}

/** Marks a run as cancelled or to be rolled back. A mark for rollback is never weakened. */
async function markCancelled(tx: Db, runId: string, action: CancelAction): Promise<boolean> {
  const mark =
    action === "rollback"
      ? sql.lit(ROLLBACK)
      : sql<number>`case rollback when 0 then ${sql.lit(CANCELLED)} else rollback end`;
  const rows = await tx
    .updateTable("runs")
    .set({ rollback: mark })
    .where("run_id", "=", runId)
    .where("ended", "is", null)
    .returning("run_id")
    .execute();
  return rows.length > 0;
}

async function requeue(tx: Db, { run_id, token }: Claim, loss: Loss): Promise<boolean> {
  const rows = await tx
    .updateTable("runs")
    .set((eb) => ({
      status: runTransitions.running.requeue,
      crashes: eb("crashes", "+", loss === "crashed" ? 1 : 0),
    }))
    .where("run_id", "=", run_id)
    .where("token", "=", token)
    .where("status", "=", "running")
    .where("rollback", "=", 0)
    .returning("run_id")
    .execute();
  forgetTokens(tx);
  return rows.length > 0;
}

/** Deletes a run with its events if it has ended. */
export async function deleteRun(tx: Db, runId: string): Promise<boolean> {
  const rows = await tx
    .deleteFrom("runs")
    .where("run_id", "=", runId)
    .where("ended", "is not", null)
    .returning("run_id")
    .execute();
  if (rows.length === 0) return false;
  forgetTokens(tx);
  await tx.deleteFrom("run_events").where("run_id", "=", runId).execute();
  return true;
}
