import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

export const checkpoints: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("checkpoints")
      .addColumn("thread_id", "text", (column) => column.notNull())
      .addColumn("ns", "text", (column) => column.notNull())
      .addColumn("checkpoint_id", "text", (column) => column.notNull())
      .addColumn("parent_id", "text")
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("metadata", "text", (column) => column.notNull())
      .addColumn("checkpoint", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("checkpoints_key", ["thread_id", "ns", "checkpoint_id"])
      .execute();
    await db.schema
      .createTable("checkpoint_values")
      .addColumn("thread_id", "text", (column) => column.notNull())
      .addColumn("ns", "text", (column) => column.notNull())
      .addColumn("channel", "text", (column) => column.notNull())
      .addColumn("version", "text", (column) => column.notNull())
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("base", "text")
      .addColumn("keep", "integer", (column) => column.notNull())
      .addColumn("since_whole", "integer", (column) => column.notNull())
      .addColumn("whole", "integer", (column) => column.notNull())
      .addColumn("type", "text", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("checkpoint_values_key", ["thread_id", "ns", "channel", "version"])
      .execute();
    await db.schema
      .createTable("checkpoint_writes")
      .addColumn("thread_id", "text", (column) => column.notNull())
      .addColumn("ns", "text", (column) => column.notNull())
      .addColumn("checkpoint_id", "text", (column) => column.notNull())
      .addColumn("task_id", "text", (column) => column.notNull())
      .addColumn("idx", "integer", (column) => column.notNull())
      .addColumn("replaced_by", "text", (column) => column.notNull())
      .addColumn("run_id", "text", (column) => column.notNull())
      .addColumn("channel", "text", (column) => column.notNull())
      .addColumn("type", "text", (column) => column.notNull())
      .addColumn("data", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("checkpoint_writes_key", [
        "thread_id",
        "ns",
        "checkpoint_id",
        "task_id",
        "idx",
        "replaced_by",
      ])
      .execute();
  },
};
