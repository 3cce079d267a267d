import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Adds the host of each webhook. Webhooks that wait already get an empty one and are sent as before. */
export const webhookHosts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable("webhooks")
      .addColumn("host", "text", (column) => column.notNull().defaultTo(""))
      .execute();
  },
};
