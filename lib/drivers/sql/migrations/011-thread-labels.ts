import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { JsonObject } from "../../../protocol/json.ts";
import { labelsOf } from "../../../rules/threads/labels.ts";
import { withoutRowId } from "../dialect.ts";
import { fromJson } from "../json-column.ts";
import type { Tables } from "../tables.ts";
import { type LabelDb, labelRows } from "../thread-labels.ts";

/** The number of threads that are read, and of rows that are written, at a time. */
const AT_ONCE = 1_000;

export const threadLabels: Migration = {
  async up(db: Kysely<unknown>) {
    // The key has the order in which lists are shown, so the first page of a label is the end of one range.
    await db.schema
      .createTable("thread_labels")
      .addColumn("label", "blob", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("thread_id", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("thread_labels_key", ["label", "created_at", "thread_id"])
      .$call((table) => withoutRowId(db, table))
      .execute();
    await db.schema
      .createIndex("threads_status")
      .on("threads")
      .columns(["status", "created_at", "thread_id"])
      .execute();
    // The index includes the rest of the labels' key, so that a list is read without the threads that are not in it.
    await db.schema.dropIndex("threads_updated_at").execute();
    await db.schema
      .createIndex("threads_updated_at")
      .on("threads")
      .columns(["updated_at", "thread_id", "created_at"])
      .execute();
    await fill(db.withTables<Pick<Tables, "threads" | "thread_labels">>());
  },
};

async function fill(db: LabelDb): Promise<void> {
  let last = "";
  for (;;) {
    const threads = await db
      .selectFrom("threads")
      .select(["thread_id", "created_at", "metadata"])
      .where("thread_id", ">", last)
      .orderBy("thread_id")
      .limit(AT_ONCE)
      .execute();
    const rows = threads.flatMap((thread) => labelRows(thread, labelsOf(fromJson<JsonObject>(thread.metadata))));
    for (let from = 0; from < rows.length; from += AT_ONCE)
      await db
        .insertInto("thread_labels")
        .values(rows.slice(from, from + AT_ONCE))
        .execute();
    const end = threads.at(-1);
    if (!end) return;
    last = end.thread_id;
  }
}
