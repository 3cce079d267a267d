import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

export const sessions: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("sessions")
      .addColumn("hash", "text", (column) => column.primaryKey())
      .addColumn("key_print", "text", (column) => column.notNull())
      .addColumn("created_at", "integer", (column) => column.notNull())
      .addColumn("last_used", "integer", (column) => column.notNull())
      .execute();
  },
};
