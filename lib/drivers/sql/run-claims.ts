/** Claims: which pending run is executed next, and by whom. */
import { type Expression, type ExpressionBuilder, type QueryCreator, type SqlBool, sql } from "kysely";
import { runTransitions } from "../../rules/runs/state.ts";
import { isPostgres, skipLocked } from "./dialect.ts";
import { boundNumber, prepared } from "./prepared.ts";
import type { Db, Tables } from "./tables.ts";

interface Claimer {
  updated_at: string;
  /** The lease of the claimer. */
  executor: string | null;
}

export interface ClaimParameters extends Claimer {
  limit: number;
  /** Runs that are due at this time are claimed, in ms since the epoch. */
  now: number;
}

/** A constant that helps to choose an index is a literal: see `boundText`. */
const PENDING = sql.lit("pending" as const);

/**
 * Returns a function that claims runs and returns their rows, in any order. A thread executes one run at a time, in the order in
 * which they are due.
 *
 * SQLite has one writing transaction at a time, so one statement chooses the runs and claims them. On PostgreSQL no statement
 * sees what others commit while it is executed. So a first statement locks the threads: until the transaction ends nobody
 * else claims or stores a run of them. A second one, which sees all that was committed before, checks and claims their runs.
 */
export function runClaims(db: Db) {
  const claimDue = prepared(({ now, limit, ...by }: ClaimParameters) =>
    claim(db, by, (eb) =>
      eb("run_id", "in", due(db).select("run_id").where("due", "<=", now).limit(boundNumber(limit))),
    ),
  );
  if (!isPostgres(db)) return claimDue;
  const lockDue = prepared((input: Pick<ClaimParameters, "now" | "limit">) => selectLocked(db, input));
  const claimLocked = prepared(({ ids, ...by }: Claimer & { ids: readonly string[] }) =>
    claim(db, by, (eb) => eb.and([sql<SqlBool>`run_id = any(${ids})`, eb("ended", "is", null), isNextOfThread(eb)])),
  );
  return async (tx: Db, { now, limit, ...by }: ClaimParameters) => {
    const locked = await lockDue(tx, { now, limit });
    return locked.length === 0 ? [] : await claimLocked(tx, { ids: locked.map(({ run_id }) => run_id), ...by });
  };
}

type RunsExpression = ExpressionBuilder<Tables, "runs">;

function claim(db: Db, { updated_at, executor }: Claimer, which: (eb: RunsExpression) => Expression<SqlBool>) {
  return db
    .updateTable("runs")
    .set((eb) => ({
      status: runTransitions.pending.claim,
      token: eb("token", "+", 1),
      last_event: eb("last_event", "+", 1),
      updated_at,
      executor,
      position: positionInThread(eb),
      started_at: eb.fn.coalesce("runs.started_at", eb.val(updated_at)),
    }))
    .where(which)
    .where("status", "=", PENDING)
    .returningAll()
    .returning((eb) =>
      eb
        .selectFrom("threads")
        .select("threads.status")
        .whereRef("threads.thread_id", "=", "runs.thread_id")
        .as("thread_status"),
    )
    .returning((eb) => [newestOf(eb).as("newest"), eb.exists(writesAfterNewest(eb)).as("has_writes")]);
}

/** Selects pending runs that no older run of their thread blocks, in the order in which they are due. */
function due(query: QueryCreator<Tables>) {
  return query
    .selectFrom("runs")
    .where("status", "=", PENDING)
    .where("ended", "is", null)
    .where(isNextOfThread)
    .orderBy("due")
    .orderBy("run_id");
}

/** Locks runs that are due, with their threads. What another transaction has locked is left out, and never waited for. */
function selectLocked(db: Db, { now, limit }: Pick<ClaimParameters, "now" | "limit">) {
  return db
    .with("due_runs", (query) =>
      skipLocked(
        db,
        due(query).select(["run_id", "thread_id", "threaded"]).where("due", "<=", now).limit(boundNumber(limit)),
      ),
    )
    .with("free_threads", (query) =>
      skipLocked(
        db,
        query
          .selectFrom("threads")
          .select("thread_id")
          .where("thread_id", "in", (eb) =>
            eb.selectFrom("due_runs").select("due_runs.thread_id").where("due_runs.threaded", "=", sql.lit(1)),
          ),
      ),
    )
    .selectFrom("due_runs")
    .select("run_id")
    .where((eb) =>
      eb.or([
        eb("threaded", "=", sql.lit(0)),
        eb("thread_id", "in", eb.selectFrom("free_threads").select("free_threads.thread_id")),
      ]),
    );
}

/** Returns the run's own position if it was claimed before, else the next position of its thread. */
function positionInThread(eb: RunsExpression) {
  const next = eb
    .selectFrom("threads")
    .select("threads.position")
    .whereRef("threads.thread_id", "=", "runs.thread_id")
    .where("runs.threaded", "=", sql.lit(1));
  return eb.fn.coalesce("runs.position", next);
}

/** Returns the id of the newest checkpoint of a run's thread; null if it has none, or the run is on no thread. */
function newestOf(eb: RunsExpression) {
  return eb
    .selectFrom("checkpoints")
    .select(({ fn }) => fn.max("checkpoints.checkpoint_id").as("newest"))
    .whereRef("checkpoints.thread_id", "=", "runs.thread_id")
    .where("runs.threaded", "=", sql.lit(1))
    .where("checkpoints.ns", "=", sql.lit(""));
}

function writesAfterNewest(eb: RunsExpression) {
  return eb
    .selectFrom("checkpoint_writes")
    .select("checkpoint_writes.task_id")
    .whereRef("checkpoint_writes.thread_id", "=", "runs.thread_id")
    .where("checkpoint_writes.ns", "=", sql.lit(""))
    .where("checkpoint_writes.checkpoint_id", "=", newestOf(eb))
    .where("checkpoint_writes.replaced_by", "=", sql.lit(""));
}

/** Returns a condition: no older run of the thread is in flight. So a thread executes one run at a time, in order. */
function isNextOfThread(eb: RunsExpression) {
  const older = eb
    .selectFrom("runs as other")
    .select("other.run_id")
    .whereRef("other.thread_id", "=", "runs.thread_id")
    .where("other.threaded", "=", sql.lit(1))
    .where("other.ended", "is", null)
    .where((other) =>
      other.or([
        other("other.status", "=", sql.lit("running")),
        other("other.due", "<", other.ref("runs.due")),
        other.and([
          other("other.due", "=", other.ref("runs.due")),
          other("other.run_id", "<", other.ref("runs.run_id")),
        ]),
      ]),
    );
  return eb.or([eb("runs.threaded", "=", sql.lit(0)), eb.not(eb.exists(older))]);
}
