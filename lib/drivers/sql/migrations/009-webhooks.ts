import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

export const webhooks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("webhooks")
      .addColumn("run_id", "text", (column) => column.primaryKey())
      .addColumn("url", "text", (column) => column.notNull())
      .addColumn("body", "text", (column) => column.notNull())
      .addColumn("ended", "bigint", (column) => column.notNull())
      .addColumn("due", "bigint", (column) => column.notNull())
      .addColumn("attempt", "integer", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("webhooks_due").on("webhooks").columns(["due", "run_id"]).execute();
  },
};
