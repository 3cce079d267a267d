import { type Kysely, sql } from "kysely";
import type { Enqueued, NewRun, RunFilter, RunOutcome, RunPlace, RunStore, StoredRun } from "../../engine/ports.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { threadStatusAfter } from "../../rules/multitask.ts";
import { advance } from "./crons.ts";
import type { Commit } from "./group-commit.ts";
import { fromJson } from "./json-column.ts";
import { fromRow, toRow } from "./run-rows.ts";
import type { Tables } from "./tables.ts";
import { toThreadRow } from "./thread-rows.ts";

type Db = Kysely<Tables>;

/** The part of the store of runs that knows of threads. */
export function threadRuns(
  db: Db,
  commit: Commit<Tables>,
): Pick<RunStore, "enqueue" | "listOf" | "begun" | "inFlight" | "markRollback" | "requeue" | "delete"> {
  return {
    enqueue: (run, thread) => commit((tx) => enqueue(tx, run, thread)),
    listOf: (threadId, filter) => listOf(db, threadId, filter),
    begun: (threadId, position, limit) => begun(db, threadId, position, limit),
    inFlight: (threadId) => inFlight(db, threadId),
    markRollback: (runId) => commit((tx) => markRollback(tx, runId)),
    requeue: (runId, token) => commit((tx) => requeue(tx, runId, token)),
    delete: (runId) => commit((tx) => deleteRun(tx, runId)),
  };
}

async function enqueue(tx: Db, run: NewRun, { alone, metadata, create, firing }: RunPlace): Promise<Enqueued> {
  if (firing && !(await advance(tx, firing))) return "fired";
  if (create) {
    await tx
      .insertInto("threads")
      .values(toThreadRow(create))
      .onConflict((conflict) => conflict.column("thread_id").doNothing())
      .execute();
  }
  // The thread's row is this transaction's from here on: nobody else adds a run to it meanwhile.
  const thread = await tx
    .updateTable("threads")
    .set({ updated_at: run.updated_at })
    .where("thread_id", "=", run.thread_id)
    .returning(["metadata"])
    .executeTakeFirst();
  if (!thread) return "missing";
  if (alone && (await inFlightCount(tx, run.thread_id)) > 0) return "busy";
  await tx.insertInto("runs").values(toRow(run)).execute();
  await tx
    .updateTable("threads")
    .set({ status: "busy", metadata: JSON.stringify({ ...fromJson<JsonObject>(thread.metadata), ...metadata }) })
    .where("thread_id", "=", run.thread_id)
    .execute();
  return "stored";
}

/** The thread's state and status after a run of it has ended, in `ended`'s transaction. */
export async function settleThread(
  tx: Db,
  threadId: string,
  outcome: RunOutcome,
  { updated_at, position }: { updated_at: string; position: number | undefined },
): Promise<void> {
  const { thread: state, status, error } = outcome;
  const before = await tx.selectFrom("threads").select("waiting").where("thread_id", "=", threadId).executeTakeFirst();
  if (!before) return;
  const waiting = state ? state.next.length > 0 : before.waiting === 1;
  await tx
    .updateTable("threads")
    .set({
      status: threadStatusAfter(status, { waiting, inFlight: await inFlightCount(tx, threadId) }),
      waiting: waiting ? 1 : 0,
      error: error ? JSON.stringify(error) : null,
      updated_at,
      ...(position !== undefined && { position }),
      ...(state && {
        values: state.values,
        interrupts: JSON.stringify(state.interrupts),
        state_updated_at: updated_at,
      }),
    })
    .where("thread_id", "=", threadId)
    .execute();
}

/** A thread that was made for one run goes with it, unless others of its runs have not ended; its runs have none then. */
export async function dropThread(tx: Db, threadId: string): Promise<void> {
  if ((await inFlightCount(tx, threadId)) > 0) return;
  await tx.deleteFrom("threads").where("thread_id", "=", threadId).execute();
  await tx.updateTable("runs").set({ threaded: 0 }).where("thread_id", "=", threadId).execute();
}

export async function markBusy(tx: Db, threadIds: readonly string[]): Promise<void> {
  await tx.updateTable("threads").set({ status: "busy" }).where("thread_id", "in", threadIds).execute();
}

async function inFlightCount(tx: Db, threadId: string): Promise<number> {
  const row = await tx
    .selectFrom("runs")
    .select(sql<number>`count(*)`.as("n"))
    .where("thread_id", "=", threadId)
    .where("threaded", "=", sql.lit(1))
    .where("ended", "is", null)
    .executeTakeFirstOrThrow();
  return row.n;
}

async function listOf(db: Db, threadId: string, { status, limit, offset }: RunFilter): Promise<StoredRun[]> {
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

async function inFlight(db: Db, threadId: string): Promise<StoredRun[]> {
  const rows = await db
    .selectFrom("runs")
    .selectAll()
    .where("thread_id", "=", threadId)
    .where("threaded", "=", sql.lit(1))
    .where("ended", "is", null)
    .orderBy("due")
    .orderBy("run_id")
    .execute();
  return rows.map(fromRow);
}

async function markRollback(tx: Db, runId: string): Promise<boolean> {
  const rows = await tx
    .updateTable("runs")
    .set({ rollback: 1 })
    .where("run_id", "=", runId)
    .where("ended", "is", null)
    .returning("run_id")
    .execute();
  return rows.length > 0;
}

async function requeue(tx: Db, runId: string, token: number): Promise<boolean> {
  const rows = await tx
    .updateTable("runs")
    .set({ status: "pending" })
    .where("run_id", "=", runId)
    .where("token", "=", token)
    .where("status", "=", "running")
    .returning("run_id")
    .execute();
  return rows.length > 0;
}

/** With its events, when it has ended. */
export async function deleteRun(tx: Db, runId: string): Promise<boolean> {
  const rows = await tx
    .deleteFrom("runs")
    .where("run_id", "=", runId)
    .where("ended", "is not", null)
    .returning("run_id")
    .execute();
  if (rows.length === 0) return false;
  await tx.deleteFrom("run_events").where("run_id", "=", runId).execute();
  return true;
}
