/** Rows that lead from a member of metadata to the threads that have it, changed with the thread they belong to. */
import { hash } from "node:crypto";
import type { Kysely } from "kysely";
import type { NewThread } from "../../engine/ports/threads.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { labelsOf } from "../../rules/threads/labels.ts";
import { fromJson } from "./json-column.ts";
import type { Tables, ThreadLabelsTable, ThreadsTable } from "./tables.ts";
import { toThreadRow } from "./thread-rows.ts";

type Db = Kysely<Pick<Tables, "threads" | "thread_labels">>;
/** What label rows say of their thread: it never changes. */
type Thread = Pick<ThreadsTable, "thread_id" | "created_at">;

/** As labels are stored: short, however long the member is, and the same for no two of them that anybody can find. */
export function labelHash(label: string): Uint8Array {
  return hash("sha256", label, "buffer").subarray(0, 16);
}

export function labelRows({ thread_id, created_at }: Thread, labels: readonly string[]): ThreadLabelsTable[] {
  return labels.map((label) => ({ label: labelHash(label), created_at, thread_id }));
}

/** False when there is a thread of this id. */
export async function insertThread(tx: Db, thread: NewThread): Promise<boolean> {
  const inserted = await tx
    .insertInto("threads")
    .values(toThreadRow(thread))
    .onConflict((conflict) => conflict.column("thread_id").doNothing())
    .returning("thread_id")
    .execute();
  if (inserted.length > 0) await relabel(tx, thread, {}, thread.metadata);
  return inserted.length > 0;
}

/** The text of a thread's metadata with `added` over it, which is to be stored: its labels are those of this text. */
export async function addMetadata(
  tx: Db,
  thread: Thread & Pick<ThreadsTable, "metadata">,
  added: JsonObject,
): Promise<string> {
  const before = fromJson<JsonObject>(thread.metadata);
  const after = { ...before, ...added };
  await relabel(tx, thread, before, after);
  return JSON.stringify(after);
}

/** False when there is no such thread. */
export async function deleteThread(tx: Db, threadId: string): Promise<boolean> {
  const thread = await tx
    .deleteFrom("threads")
    .where("thread_id", "=", threadId)
    .returning(["thread_id", "created_at", "metadata"])
    .executeTakeFirst();
  if (thread) await relabel(tx, thread, fromJson(thread.metadata), {});
  return thread !== undefined;
}

async function relabel(tx: Db, thread: Thread, before: JsonObject, after: JsonObject): Promise<void> {
  const [had, has] = [labelsOf(before), labelsOf(after)];
  const gone = had.filter((label) => !has.includes(label));
  const come = has.filter((label) => !had.includes(label));
  if (gone.length > 0) {
    await tx
      .deleteFrom("thread_labels")
      .where("label", "in", gone.map(labelHash))
      .where("created_at", "=", thread.created_at)
      .where("thread_id", "=", thread.thread_id)
      .execute();
  }
  if (come.length > 0) await tx.insertInto("thread_labels").values(labelRows(thread, come)).execute();
}
