import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

export const tasks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("tasks")
      .addColumn("task_id", "text", (column) => column.primaryKey())
      .addColumn("assistant_id", "text", (column) => column.notNull())
      .addColumn("context_id", "text", (column) => column.notNull())
      .addColumn("run_ids", "text", (column) => column.notNull())
      .addColumn("artifact_id", "text", (column) => column.notNull())
      .addColumn("history", "text", (column) => column.notNull())
      .addColumn("metadata", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("tasks_context").on("tasks").columns(["context_id", "created_at"]).execute();
  },
};
