import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

export const crons: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("crons")
      .addColumn("cron_id", "text", (column) => column.primaryKey())
      .addColumn("assistant_id", "text", (column) => column.notNull())
      .addColumn("thread_id", "text")
      .addColumn("schedule", "text", (column) => column.notNull())
      .addColumn("timezone", "text")
      .addColumn("end_time", "text")
      .addColumn("enabled", "integer", (column) => column.notNull())
      .addColumn("on_run_completed", "text")
      .addColumn("payload", "text", (column) => column.notNull())
      .addColumn("metadata", "text", (column) => column.notNull())
      .addColumn("user_id", "text")
      .addColumn("next_run", "bigint")
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("crons_due")
      .on("crons")
      .column("next_run")
      .where(sql.ref("next_run"), "is not", null)
      .execute();
    await db.schema.createIndex("crons_thread").on("crons").column("thread_id").execute();
    await db.schema.createIndex("crons_created_at").on("crons").columns(["created_at", "cron_id"]).execute();
  },
};
