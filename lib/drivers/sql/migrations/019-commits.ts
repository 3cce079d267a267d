import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { isPostgres } from "../dialect.ts";

/**
 * Stores the ids of transactions, so that one whose answer is lost can be found. SQLite is in the same process and loses none.
 * `committed` is false where somebody has asked for a transaction that had not been committed, and never can be any more.
 */
export const commits: Migration = {
  async up(db: Kysely<unknown>) {
    if (!isPostgres(db)) return;
    await db.schema
      .createTable("commits")
      .addColumn("commit_id", "uuid", (column) => column.primaryKey())
      .addColumn("committed", "boolean", (column) => column.notNull().defaultTo(true))
      .execute();
  },
};
