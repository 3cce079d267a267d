import { type ExpressionBuilder, type Kysely, type QueryCreator, sql } from "kysely";
import type { RunStatus } from "../../protocol/runs.ts";
import { skipLocked } from "./dialect.ts";
import { bound, type Param, prepared } from "./prepared.ts";
import type { RunEventsTable, RunsTable, Tables } from "./tables.ts";

/** The statements on the path of every run, each compiled once. */
type Db = Kysely<Tables>;

const runColumns = [
  "run_id",
  "thread_id",
  "assistant_id",
  "graph_id",
  "status",
  "metadata",
  "kwargs",
  "multitask_strategy",
  "created_at",
  "updated_at",
  "due",
  "ended",
  "token",
  "last_event",
  "error",
  "keep",
  "threaded",
  "rollback",
  "position",
] as const satisfies (keyof RunsTable)[];

const eventColumns = ["run_id", "first_event", "last_event", "lines"] as const satisfies (keyof RunEventsTable)[];

/** What every run writes. */
export function runWrites(db: Db) {
  return {
    insert: prepared<RunsTable, unknown>((param) => db.insertInto("runs").values(bound(param, runColumns))),
    claim: prepared((param: Param<{ now: number; updated_at: string; limit: number }>) =>
      db
        // By itself, so that it is executed once whatever the plan.
        .with("due_runs", (query) =>
          skipLocked(db, waiting(query).where("due", "<=", param("now")).limit(param("limit"))),
        )
        .updateTable("runs")
        .set((eb) => ({
          status: "running" as const,
          token: eb("token", "+", 1),
          last_event: eb("last_event", "+", 1),
          updated_at: param("updated_at"),
          position: positionInThread(eb),
        }))
        .where("run_id", "in", (eb) => eb.selectFrom("due_runs").select("run_id"))
        .where("status", "=", "pending")
        .returningAll(),
    ),
    /** Checks the token and takes the numbers in one statement, so no two appends can get the same. */
    advance: prepared((param: Param<{ run_id: string; token: number; count: number }>) =>
      db
        .updateTable("runs")
        .set((eb) => ({ last_event: eb("last_event", "+", param("count")) }))
        .where("run_id", "=", param("run_id"))
        .where("token", "=", param("token"))
        .where("ended", "is", null)
        .returning("last_event"),
    ),
    end: prepared((param: Param<Ending>) =>
      db
        .updateTable("runs")
        .set((eb) => ({
          last_event: eb("last_event", "+", param("count")),
          status: param("status"),
          ended: param("now"),
          updated_at: param("updated_at"),
          error: param("error"),
        }))
        .where("run_id", "=", param("run_id"))
        .where("token", "=", param("token"))
        .where("ended", "is", null)
        .returning(["last_event", "thread_id", "threaded", "rollback", "position"]),
    ),
    insertEvents: prepared<RunEventsTable, unknown>((param) =>
      db.insertInto("run_events").values(bound(param, eventColumns)),
    ),
  };
}

/** Runs that may begin as soon as they are due, in their order. */
function waiting(query: QueryCreator<Tables>) {
  return query
    .selectFrom("runs")
    .select("run_id")
    .where("status", "=", "pending")
    .where("ended", "is", null)
    .where(isNextOfThread)
    .orderBy("due")
    .orderBy("run_id");
}

/** That of its thread; a run that is begun again stays where it is. */
function positionInThread(eb: ExpressionBuilder<Tables, "runs">) {
  const next = eb
    .selectFrom("threads")
    .select("threads.position")
    .whereRef("threads.thread_id", "=", "runs.thread_id")
    .where("runs.threaded", "=", sql.lit(1));
  return eb.fn.coalesce("runs.position", next);
}

/** A thread has one running run, and its runs run in the order in which they came. */
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

interface Ending {
  run_id: string;
  token: number;
  count: number;
  status: RunStatus;
  now: number;
  updated_at: string;
  error: string | null;
}

/** What every run, and everyone who follows one, reads. */
export function runReads(db: Db) {
  return {
    get: prepared((param: Param<{ run_id: string }>) =>
      db.selectFrom("runs").selectAll().where("run_id", "=", param("run_id")),
    ),
    nextDue: prepared((param: Param<{ now: number }>) =>
      db
        .selectFrom("runs")
        .select("due")
        .where("status", "=", "pending")
        .where("ended", "is", null)
        .where("due", ">", param("now"))
        .orderBy("due")
        .limit(1),
    ),
    read: prepared((param: Param<{ run_id: string; after: number; limit: number }>) =>
      db
        .selectFrom("run_events")
        .select(["first_event", "lines"])
        .where("run_id", "=", param("run_id"))
        .where("last_event", ">", param("after"))
        .orderBy("first_event")
        .limit(param("limit")),
    ),
  };
}
