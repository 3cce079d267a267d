/** An index from members of metadata to threads. Its rows change in the transaction of their thread. */
import { hash } from "node:crypto";
import type { Kysely } from "kysely";
import type { NewThread } from "../../engine/ports/threads.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { labelsOf } from "../../rules/threads/labels.ts";
import { fromJson } from "./json-column.ts";
import type { Tables, ThreadLabelsTable, ThreadsTable } from "./tables.ts";
import { toThreadRow } from "./thread-rows.ts";

export type LabelDb = Kysely<Pick<Tables, "threads" | "thread_labels">>;
/** The columns of a thread that its label rows repeat. They never change. */
type LabelledThread = Pick<ThreadsTable, "thread_id" | "created_at">;

/** Hashes a label for storage: the result is short however long the member is, and collisions cannot be constructed. */
export function labelHash(label: string): Uint8Array {
  return hash("sha256", label, "buffer").subarray(0, 16);
}

export function labelRows({ thread_id, created_at }: LabelledThread, labels: readonly string[]): ThreadLabelsTable[] {
  return labels.map((label) => ({ label: labelHash(label), created_at, thread_id }));
}

/** Inserts a thread with its labels. Returns false when a thread with this id exists. */
export async function insertThread(tx: LabelDb, thread: NewThread): Promise<boolean> {
  const inserted = await tx
    .insertInto("threads")
    .values(toThreadRow(thread))
    .onConflict((conflict) => conflict.column("thread_id").doNothing())
    .returning("thread_id")
    .execute();
  if (inserted.length > 0) await labelThread(tx, thread);
  return inserted.length > 0;
}

/** Inserts the labels of a thread that was just inserted. */
export async function labelThread(tx: LabelDb, thread: NewThread): Promise<void> {
  await relabel(tx, thread, {}, thread.metadata);
}

/** Returns the JSON text of a thread's metadata merged with `added`. Updates the labels to it, so it must be stored. */
export async function addMetadata(
  tx: LabelDb,
  thread: LabelledThread & Pick<ThreadsTable, "metadata">,
  added: JsonObject,
): Promise<string> {
  const before = fromJson<JsonObject>(thread.metadata);
  const after = { ...before, ...added };
  await relabel(tx, thread, before, after);
  return JSON.stringify(after);
}

/** Deletes a thread with its labels, or only if it is at rest and had expired by then. Returns whether it was deleted. */
export async function deleteThread(tx: LabelDb, threadId: string, expiredBy?: number): Promise<boolean> {
  let deletion = tx.deleteFrom("threads").where("thread_id", "=", threadId);
  if (expiredBy !== undefined) deletion = deletion.where("expires", "<=", expiredBy).where("status", "!=", "busy");
  const thread = await deletion.returning(["thread_id", "created_at", "metadata"]).executeTakeFirst();
  if (thread) await relabel(tx, thread, fromJson(thread.metadata), {});
  return thread !== undefined;
}

async function relabel(tx: LabelDb, thread: LabelledThread, before: JsonObject, after: JsonObject): Promise<void> {
  const [had, has] = [labelsOf(before), labelsOf(after)];
  const removed = had.filter((label) => !has.includes(label));
  const added = has.filter((label) => !had.includes(label));
  if (removed.length > 0) {
    await tx
      .deleteFrom("thread_labels")
      .where("label", "in", removed.map(labelHash))
      .where("created_at", "=", thread.created_at)
      .where("thread_id", "=", thread.thread_id)
      .execute();
  }
  if (added.length > 0) await tx.insertInto("thread_labels").values(labelRows(thread, added)).execute();
}
