import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

export const hooks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("deployments").addColumn("hook", "text").execute();
    await db.schema
      .createTable("pushes")
      .addColumn("deployment_id", "text", (column) => column.notNull())
      .addColumn("delivery", "text", (column) => column.notNull())
      .addColumn("sha", "text", (column) => column.notNull())
      .addColumn("revision", "integer", (column) => column.notNull())
      .addColumn("received_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("pushes_key", ["deployment_id", "delivery"])
      .execute();
  },
};
