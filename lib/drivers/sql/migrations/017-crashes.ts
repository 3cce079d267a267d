import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Counts crashes apart from claims, and makes the database refuse a second running run of a thread. */
export const crashes: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable("runs")
      .addColumn("crashes", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createIndex("runs_running")
      .on("runs")
      .column("thread_id")
      .unique()
      .where(sql.ref("status"), "=", sql.lit("running"))
      .where(sql.ref("threaded"), "=", sql.lit(1))
      .execute();
  },
};
