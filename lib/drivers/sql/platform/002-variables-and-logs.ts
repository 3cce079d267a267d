import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

export const variablesAndLogs: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("variables")
      .addColumn("deployment_id", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("value", "text", (column) => column.notNull())
      .addColumn("secret", "integer", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("variables_key", ["deployment_id", "name"])
      .execute();
    await db.schema
      .createTable("log_lines")
      .addColumn("log", "text", (column) => column.notNull())
      .addColumn("first_line", "integer", (column) => column.notNull())
      .addColumn("last_line", "integer", (column) => column.notNull())
      .addColumn("lines", "text", (column) => column.notNull())
      .addColumn("written", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint("log_lines_key", ["log", "last_line"])
      .execute();
  },
};
