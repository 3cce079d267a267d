import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** The leases of servers that share this database, and which of them builds a revision. */
export const executors: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("executors")
      .addColumn("executor_id", "text", (column) => column.primaryKey())
      .addColumn("host", "text", (column) => column.notNull())
      .addColumn("roles", "text", (column) => column.notNull())
      .addColumn("secrets", "text", (column) => column.notNull())
      .addColumn("expires", "integer", (column) => column.notNull())
      .execute();
    await db.schema.alterTable("revisions").addColumn("executor", "text").execute();
  },
};
