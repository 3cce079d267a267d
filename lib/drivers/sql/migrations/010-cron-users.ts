import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

export const cronUsers: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("crons").addColumn("auth_user", "text").execute();
  },
};
