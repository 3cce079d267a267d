import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Of those that wait already nobody says the host: they go out as before. */
export const webhookHosts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable("webhooks")
      .addColumn("host", "text", (column) => column.notNull().defaultTo(""))
      .execute();
  },
};
