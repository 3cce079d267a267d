import { type ExpressionBuilder, sql } from "kysely";
import type { RunStatus } from "../../protocol/runs.ts";
import { boundNumber, boundText, prepared } from "./prepared.ts";
import type { Db, RunEventsTable, RunsTable, Tables, TasksTable, ThreadsTable } from "./tables.ts";

/** A constant that helps to choose an index is a literal: see `boundText`. */
const PENDING = sql.lit("pending" as const);
const RUNNING = sql.lit("running" as const);

/** Compiles the statements by which every run is written, apart from its claim. */
export function runWrites(db: Db) {
  return {
    insert: prepared<RunsTable, unknown>((row) => db.insertInto("runs").values(row)),
    /** Checks the claim and reserves event ids in one statement, so no two appends can get the same ids. */
    advance: prepared((input: { run_id: string; token: number; count: number }) =>
      db
        .updateTable("runs")
        .set((eb) => ({ last_event: eb("last_event", "+", input.count) }))
        .where("run_id", "=", input.run_id)
        .where("token", "=", input.token)
        .where("status", "=", RUNNING)
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
        .where("status", "=", input.from)
        .where("ended", "is", null)
        .returning(["last_event", "thread_id", "threaded", "rollback", "position"]),
    ),
    insertEvents: prepared<RunEventsTable, unknown>((row) => db.insertInto("run_events").values(row)),
    /** Inserts events whose ids the claimer has given itself. A run that is pending again has lost its claim. */
    spillEvents: prepared((row: RunEventsTable & { token: number }) =>
      db
        .insertInto("run_events")
        .columns(["run_id", "first_event", "last_event", "lines"])
        .expression((eb) =>
          eb
            .selectFrom("runs")
            .select([
              "run_id",
              boundNumber(row.first_event).as("first_event"),
              boundNumber(row.last_event).as("last_event"),
              boundText(row.lines).as("lines"),
            ])
            .where("run_id", "=", row.run_id)
            .where("token", "=", row.token)
            .where("status", "!=", PENDING),
        ),
    ),
  };
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
  /** The status from which the run ends. */
  from: RunStatus;
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
