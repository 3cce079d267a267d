import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

export const inputs: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("revisions").addColumn("shapes", "text").execute();
    await db.schema.alterTable("revisions").addColumn("inputs", "text").execute();
  },
};
