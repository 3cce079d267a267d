import { type ExpressionBuilder, type QueryCreator, sql } from "kysely";
import type { RunStatus } from "../../protocol/runs.ts";
import { runTransitions } from "../../rules/runs/state.ts";
import { skipLocked } from "./dialect.ts";
import { boundNumber, boundText, prepared } from "./prepared.ts";
import type { Db, RunEventsTable, RunsTable, Tables, TasksTable, ThreadsTable } from "./tables.ts";

/** A constant that helps to choose an index is a literal: see `boundText`. */
const PENDING = sql.lit("pending" as const);

/** Compiles the statements by which every run is written. */
export function runWrites(db: Db) {
  return {
    insert: prepared<RunsTable, unknown>((row) => db.insertInto("runs").values(row)),
    claim: prepared((input: { now: number; updated_at: string; limit: number }) =>
      db
        // A common table expression is executed once, whatever the plan.
        .with("due_runs", (query) =>
          skipLocked(db, waiting(query).where("due", "<=", input.now).limit(boundNumber(input.limit))),
        )
        .updateTable("runs")
        .set((eb) => ({
          status: runTransitions.pending.claim,
          token: eb("token", "+", 1),
          last_event: eb("last_event", "+", 1),
          updated_at: input.updated_at,
          position: positionInThread(eb),
          started_at: eb.fn.coalesce("runs.started_at", eb.val(input.updated_at)),
        }))
        .where("run_id", "in", (eb) => eb.selectFrom("due_runs").select("run_id"))
        .where("status", "=", PENDING)
        .returningAll()
        .returning((eb) =>
          eb
            .selectFrom("threads")
            .select("threads.status")
            .whereRef("threads.thread_id", "=", "runs.thread_id")
            .as("thread_status"),
        )
        .returning((eb) => [newestOf(eb).as("newest"), eb.exists(writesAfterNewest(eb)).as("has_writes")]),
    ),
    /** Checks the token and reserves event ids in one statement, so no two appends can get the same ids. */
    advance: prepared((input: { run_id: string; token: number; count: number }) =>
      db
        .updateTable("runs")
        .set((eb) => ({ last_event: eb("last_event", "+", input.count) }))
        .where("run_id", "=", input.run_id)
        .where("token", "=", input.token)
        .where("ended", "is", null)
        .returning("last_event"),
    ),
    end: prepared((input: RunEndParameters) =>
      db
        .updateTable("runs")
        .set((eb) => ({
          last_event: eb("last_event", "+", input.count),
          status: input.status,
          ended: input.now,
          updated_at: input.updated_at,
          error: input.error,
          first_token_at: input.first_token_at,
        }))
        .where("run_id", "=", input.run_id)
        .where("token", "=", input.token)
        .where("ended", "is", null)
        .returning(["last_event", "thread_id", "threaded", "rollback", "position"]),
    ),
    insertEvents: prepared<RunEventsTable, unknown>((row) => db.insertInto("run_events").values(row)),
  };
}

/** Selects pending runs that no older run of their thread blocks, in the order in which they are due. */
function waiting(query: QueryCreator<Tables>) {
  return query
    .selectFrom("runs")
    .select("run_id")
    .where("status", "=", PENDING)
    .where("ended", "is", null)
    .where(isNextOfThread)
    .orderBy("due")
    .orderBy("run_id");
}

/** Returns the run's own position if it was claimed before, else the next position of its thread. */
function positionInThread(eb: ExpressionBuilder<Tables, "runs">) {
  const next = eb
    .selectFrom("threads")
    .select("threads.position")
    .whereRef("threads.thread_id", "=", "runs.thread_id")
    .where("runs.threaded", "=", sql.lit(1));
  return eb.fn.coalesce("runs.position", next);
}

/** Returns the id of the newest checkpoint of a run's thread; null if it has none, or the run is on no thread. */
function newestOf(eb: ExpressionBuilder<Tables, "runs">) {
  return eb
    .selectFrom("checkpoints")
    .select(({ fn }) => fn.max("checkpoints.checkpoint_id").as("newest"))
    .whereRef("checkpoints.thread_id", "=", "runs.thread_id")
    .where("runs.threaded", "=", sql.lit(1))
    .where("checkpoints.ns", "=", sql.lit(""));
}

function writesAfterNewest(eb: ExpressionBuilder<Tables, "runs">) {
  return eb
    .selectFrom("checkpoint_writes")
    .select("checkpoint_writes.task_id")
    .whereRef("checkpoint_writes.thread_id", "=", "runs.thread_id")
    .where("checkpoint_writes.ns", "=", sql.lit(""))
    .where("checkpoint_writes.checkpoint_id", "=", newestOf(eb))
    .where("checkpoint_writes.replaced_by", "=", sql.lit(""));
}

/** Returns a condition: no older run of the thread is in flight. So a thread executes one run at a time, in order. */
function isNextOfThread(eb: ExpressionBuilder<Tables, "runs">) {
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

/** Compiles the statements by which every run on a thread changes it. */
export function threadWrites(db: Db) {
  return {
    /** Inserts the task that an A2A message starts together with its run. */
    beginTask: prepared((row: TasksTable) => db.insertInto("tasks").values(row)),
    insertThread: prepared((row: ThreadsTable) =>
      db
        .insertInto("threads")
        .values(row)
        .onConflict((conflict) => conflict.column("thread_id").doNothing())
        .returning("thread_id"),
    ),
    /** Locks the thread's row for the transaction, so that nobody else adds a run to the thread meanwhile. */
    lockThread: prepared((input: { thread_id: string; updated_at: string }) =>
      db
        .updateTable("threads")
        .set({ updated_at: input.updated_at })
        .where("thread_id", "=", input.thread_id)
        .returning(["thread_id", "created_at", "metadata", "config"]),
    ),
    setBusy: prepared((input: { thread_id: string; metadata: string; config: string }) =>
      db
        .updateTable("threads")
        .set({ status: "busy", metadata: input.metadata, config: input.config })
        .where("thread_id", "=", input.thread_id),
    ),
    occupancy: prepared((input: { thread_id: string }) =>
      db
        .selectFrom("threads")
        .select([
          "waiting",
          (eb) =>
            inFlightOf(eb)
              .select(sql<number>`count(*)`.as("n"))
              .as("inFlight"),
        ])
        .where("thread_id", "=", input.thread_id),
    ),
    settle: prepared((input: ThreadAfterRun) =>
      db
        .updateTable("threads")
        .set((eb) => threadAfterRun(eb, input))
        .where("thread_id", "=", input.thread_id),
    ),
    settleWithState: prepared((input: ThreadAfterRun & { values: string; interrupts: string }) =>
      db
        .updateTable("threads")
        .set((eb) => ({
          ...threadAfterRun(eb, input),
          values: input.values,
          interrupts: input.interrupts,
          state_updated_at: input.updated_at,
        }))
        .where("thread_id", "=", input.thread_id),
    ),
  };
}

/** State of a thread after one of its runs has ended; `position` null keeps the thread's own. */
interface ThreadAfterRun extends Pick<ThreadsTable, "thread_id" | "status" | "waiting" | "error" | "updated_at"> {
  position: number | null;
}

function threadAfterRun(eb: ExpressionBuilder<Tables, "threads">, input: ThreadAfterRun) {
  return {
    status: input.status,
    waiting: input.waiting,
    error: input.error,
    updated_at: input.updated_at,
    position: eb.fn.coalesce(eb.val(input.position), "threads.position"),
  };
}

function inFlightOf(eb: ExpressionBuilder<Tables, "threads">) {
  return eb
    .selectFrom("runs")
    .whereRef("runs.thread_id", "=", "threads.thread_id")
    .where("runs.threaded", "=", sql.lit(1))
    .where("runs.ended", "is", null);
}

interface RunEndParameters {
  run_id: string;
  token: number;
  count: number;
  status: RunStatus;
  now: number;
  updated_at: string;
  error: string | null;
  first_token_at: string | null;
}

/** Compiles the statements by which runs and their events are read. */
export function runReads(db: Db) {
  return {
    get: prepared((input: { run_id: string }) => db.selectFrom("runs").selectAll().where("run_id", "=", input.run_id)),
    inFlight: prepared((input: { thread_id: string }) =>
      db
        .selectFrom("runs")
        .selectAll()
        .where("thread_id", "=", boundText(input.thread_id))
        .where("threaded", "=", sql.lit(1))
        .where("ended", "is", null)
        .orderBy("due")
        .orderBy("run_id"),
    ),
    nextDue: prepared((input: { now: number }) =>
      db
        .selectFrom("runs")
        .select("due")
        .where("status", "=", PENDING)
        .where("ended", "is", null)
        .where("due", ">", input.now)
        .orderBy("due")
        .limit(sql.lit(1)),
    ),
    read: prepared((input: EventQuery) =>
      db
        .selectFrom("run_events")
        .select(["first_event", "lines"])
        .where("run_id", "=", boundText(input.run_id))
        .where("last_event", ">", input.after)
        // The index has only first events: this condition skips all batches before the one that contains `after`.
        .where("first_event", ">=", (eb) => eb.fn.coalesce(batchOf(input, eb), eb.val(input.after)))
        .orderBy("first_event")
        .limit(boundNumber(input.limit)),
    ),
  };
}

interface EventQuery {
  run_id: string;
  after: number;
  limit: number;
}

function batchOf(input: EventQuery, eb: ExpressionBuilder<Tables, "run_events">) {
  return eb
    .selectFrom("run_events as batch")
    .select(({ fn }) => fn.max("batch.first_event").as("first_event"))
    .where("batch.run_id", "=", input.run_id)
    .where("batch.first_event", "<=", input.after);
}
