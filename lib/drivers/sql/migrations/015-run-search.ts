import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Indexes in the order in which searches show runs. Those of few runs are partial: an ordinary run never enters them. */
export const runSearch: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable("runs")
      .addColumn("trigger", "text", (column) => column.notNull().defaultTo("api"))
      .execute();
    for (const column of ["started_at", "first_token_at"])
      await db.schema.alterTable("runs").addColumn(column, "text").execute();
    await db.schema.createIndex("runs_created").on("runs").columns(["created_at", "run_id"]).execute();
    await db.schema
      .createIndex("runs_assistant")
      .on("runs")
      .columns(["assistant_id", "created_at", "run_id"])
      .execute();
    await db.schema
      .createIndex("runs_failed")
      .on("runs")
      .columns(["status", "created_at", "run_id"])
      .where(sql.ref("status"), "in", [sql.lit("error"), sql.lit("interrupted"), sql.lit("timeout")])
      .execute();
    await db.schema
      .createIndex("runs_trigger")
      .on("runs")
      .columns(["trigger", "created_at", "run_id"])
      .where(sql.ref("trigger"), "!=", sql.lit("api"))
      .execute();
    // The tie of runs of one millisecond is part of the order, so the index has it.
    await db.schema.dropIndex("runs_of_thread").execute();
    await db.schema
      .createIndex("runs_of_thread")
      .on("runs")
      .columns(["thread_id", "created_at", "run_id"])
      .where(sql.ref("threaded"), "=", sql.lit(1))
      .execute();
  },
};
