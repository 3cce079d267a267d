import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

export const threads: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("threads")
      .addColumn("thread_id", "text", (column) => column.primaryKey())
      .addColumn("metadata", "text", (column) => column.notNull())
      .addColumn("config", "text", (column) => column.notNull())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("values", "text")
      .addColumn("interrupts", "text", (column) => column.notNull())
      .addColumn("waiting", "integer", (column) => column.notNull())
      .addColumn("error", "text")
      .addColumn("position", "bigint", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .addColumn("state_updated_at", "text", (column) => column.notNull())
      .addColumn("ttl", "real")
      .addColumn("ttl_strategy", "text")
      .addColumn("expires", "bigint")
      .execute();
    for (const column of ["created_at", "updated_at", "state_updated_at"]) {
      await db.schema.createIndex(`threads_${column}`).on("threads").columns([column, "thread_id"]).execute();
    }
    await db.schema
      .createIndex("threads_expires")
      .on("threads")
      .column("expires")
      .where(sql.ref("expires"), "is not", null)
      .execute();
    // A claim checks for each pending run whether an older run of its thread is in flight.
    await db.schema
      .createIndex("runs_in_flight")
      .on("runs")
      .columns(["thread_id", "due", "run_id"])
      .where(sql.ref("ended"), "is", null)
      .where(sql.ref("threaded"), "=", sql.lit(1))
      .execute();
    await db.schema
      .createIndex("runs_of_thread")
      .on("runs")
      .columns(["thread_id", "created_at"])
      .where(sql.ref("threaded"), "=", sql.lit(1))
      .execute();
  },
};
