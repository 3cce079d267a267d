import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

export const deployments: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("deployments")
      .addColumn("deployment_id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull().unique())
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("settings", "text", (column) => column.notNull())
      .addColumn("wanted", "text", (column) => column.notNull())
      .addColumn("live", "integer")
      .addColumn("next_revision", "integer", (column) => column.notNull())
      .addColumn("credentials", "text")
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("revisions")
      .addColumn("deployment_id", "text", (column) => column.notNull())
      .addColumn("number", "integer", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("building", "integer", (column) => column.notNull())
      .addColumn("trigger", "text", (column) => column.notNull())
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("commit", "text")
      .addColumn("build_of", "integer")
      .addColumn("report", "text")
      .addColumn("steps", "text", (column) => column.notNull())
      .addColumn("problem", "text")
      .addColumn("token", "integer", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("live_at", "text")
      .addColumn("ended_at", "text")
      .addPrimaryKeyConstraint("revisions_key", ["deployment_id", "number"])
      .execute();
    // The unique index keeps two builders from building one deployment at the same time.
    await db.schema
      .createIndex("revisions_building")
      .unique()
      .on("revisions")
      .column("deployment_id")
      .where(sql.ref("building"), "=", sql.lit(1))
      .execute();
    await db.schema
      .createIndex("revisions_queued")
      .on("revisions")
      .columns(["created_at", "deployment_id"])
      .where(sql.ref("state"), "=", sql.lit("queued"))
      .execute();
  },
};
