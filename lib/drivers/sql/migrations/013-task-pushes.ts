import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Push notification configurations of tasks, and the queue of notifications. */
export const taskPushes: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("task_pushes")
      .addColumn("task_id", "text", (column) => column.notNull())
      .addColumn("config_id", "text", (column) => column.notNull())
      .addColumn("host", "text", (column) => column.notNull())
      .addColumn("sealed", "text", (column) => column.notNull())
      .addColumn("dialect", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("task_pushes_key", ["task_id", "config_id"])
      .execute();
    await db.schema
      .createTable("push_letters")
      .addColumn("letter_id", "text", (column) => column.primaryKey())
      .addColumn("task_id", "text", (column) => column.notNull())
      .addColumn("config_id", "text", (column) => column.notNull())
      .addColumn("seq", "bigint", (column) => column.notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("host", "text", (column) => column.notNull())
      .addColumn("body", "text", (column) => column.notNull())
      .addColumn("content_type", "text", (column) => column.notNull())
      .addColumn("created", "bigint", (column) => column.notNull())
      .addColumn("due", "bigint", (column) => column.notNull())
      .addColumn("attempt", "integer", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("settled", "bigint")
      .addColumn("status", "integer")
      .addColumn("why", "text")
      .execute();
    await db.schema
      .createIndex("push_letters_order")
      .on("push_letters")
      .columns(["task_id", "config_id", "seq"])
      .execute();
    await db.schema
      .createIndex("push_letters_due")
      .on("push_letters")
      .column("due")
      .where(sql.ref("state"), "=", sql.lit("waiting"))
      .execute();
    await db.schema.createIndex("push_letters_settled").on("push_letters").column("settled").execute();
    await db.schema.createIndex("push_letters_newest").on("push_letters").columns(["created", "letter_id"]).execute();
  },
};
