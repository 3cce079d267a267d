import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

export const runs: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("runs")
      .addColumn("run_id", "text", (column) => column.primaryKey())
      .addColumn("thread_id", "text", (column) => column.notNull())
      .addColumn("assistant_id", "text", (column) => column.notNull())
      .addColumn("graph_id", "text", (column) => column.notNull())
      .addColumn("status", "text", (column) => column.notNull())
      .addColumn("metadata", "text", (column) => column.notNull())
      .addColumn("kwargs", "text", (column) => column.notNull())
      .addColumn("multitask_strategy", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .addColumn("due", "bigint", (column) => column.notNull())
      .addColumn("ended", "bigint")
      .addColumn("token", "integer", (column) => column.notNull())
      .addColumn("last_event", "integer", (column) => column.notNull())
      .addColumn("error", "text")
      .addColumn("keep", "integer", (column) => column.notNull())
      .addColumn("threaded", "integer", (column) => column.notNull())
      .addColumn("rollback", "integer", (column) => column.notNull())
      .addColumn("position", "bigint")
      .execute();
    // The index is partial, so that a claim reads runs in flight and never history.
    await db.schema
      .createIndex("runs_active")
      .on("runs")
      .columns(["status", "due", "run_id"])
      .where(sql.ref("ended"), "is", null)
      .execute();
    await db.schema
      .createIndex("runs_ended")
      .on("runs")
      .columns(["ended", "status"])
      .where(sql.ref("ended"), "is not", null)
      .execute();
    await db.schema
      .createTable("run_events")
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("first_event", "integer", (column) => column.notNull())
      .addColumn("last_event", "integer", (column) => column.notNull())
      .addColumn("lines", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("run_events_key", ["run_id", "first_event"])
      .execute();
  },
};
