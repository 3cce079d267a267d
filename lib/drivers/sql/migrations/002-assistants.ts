import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

export const assistants: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("assistants")
      .addColumn("assistant_id", "text", (column) => column.primaryKey())
      .addColumn("graph_id", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("description", "text")
      .addColumn("config", "text", (column) => column.notNull())
      .addColumn("context", "text", (column) => column.notNull())
      .addColumn("metadata", "text", (column) => column.notNull())
      .addColumn("version", "integer", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .execute();
  },
};
