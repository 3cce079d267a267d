import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** Stores which server executes a run. */
export const executors: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable("runs").addColumn("executor", "text").execute();
  },
};
