/** Deletes, copies, rolls back and prunes the checkpoints of whole threads. */
import { type RawBuilder, sql, type SqlBool } from "kysely";
import type { CheckpointScope } from "../../protocol/checkpoints.ts";
import { fromJson } from "./json-column.ts";
import type { CheckpointsTable, Db, Tables } from "./tables.ts";

export async function deleteThread(tx: Db, thread: string): Promise<void> {
  for (const table of ["checkpoint_writes", "checkpoint_values", "checkpoints"] as const)
    await tx.deleteFrom(table).where("thread_id", "=", thread).execute();
}

/** The tables of a thread's checkpoints, with their columns besides `thread_id`. */
const COLUMNS = {
  checkpoints: ["ns", "checkpoint_id", "parent_id", "run_id", "checkpoint", "metadata"],
  checkpoint_values: ["ns", "channel", "version", "run_id", "base", "keep", "since_whole", "whole", "type", "data"],
  checkpoint_writes: ["ns", "checkpoint_id", "task_id", "idx", "replaced_by", "run_id", "channel", "type", "data"],
} satisfies { [Table in keyof Tables]?: (keyof Tables[Table])[] };

/** Copies a thread's checkpoints with their ids. The thread's id in their metadata becomes the new one. */
export async function copyThread(tx: Db, from: string, to: string, upTo?: string): Promise<void> {
  const member = (thread: string): string => `"thread_id":${JSON.stringify(thread)}`;
  const metadata = sql`replace(metadata, cast(${member(from)} as text), cast(${member(to)} as text))`;
  const parts = upTo === undefined ? undefined : partsUpTo(from, upTo);
  for (const [table, columns] of Object.entries(COLUMNS)) {
    const names = sql.join(columns.map((name) => sql.ref(name)));
    const values = sql.join(columns.map((name) => (name === "metadata" ? metadata : sql.ref(name))));
    await sql`insert into ${sql.table(table)} (thread_id, ${names})
      select cast(${to} as text), ${values} from ${sql.table(table)}
      where thread_id = ${from}${parts ? sql` and ${parts[table as keyof typeof COLUMNS]}` : sql``}`.execute(tx);
  }
}

/** Returns the condition for the rows of each table that are part of the history up to a checkpoint. Ids increase with time. */
function partsUpTo(thread: string, id: string): Record<keyof typeof COLUMNS, RawBuilder<SqlBool>> {
  const runsWith = (operator: "<=" | ">") =>
    sql`select run_id from ${sql.table("checkpoints")} where thread_id = ${thread} and checkpoint_id ${sql.raw(operator)} ${id}`;
  return {
    checkpoints: sql`checkpoint_id <= ${id}`,
    checkpoint_writes: sql`checkpoint_id < ${id}`,
    // A run that has only later checkpoints wrote no value that an earlier one needs.
    checkpoint_values: sql`run_id not in (${runsWith(">")} except ${runsWith("<=")})`,
  };
}

/** Rolls back what a run did to a thread. Meant for the last run, because later runs build on its checkpoints. */
export async function deleteOf(tx: Db, runId: string, thread: string): Promise<void> {
  const made = tx
    .selectFrom("checkpoints")
    .select("checkpoint_id")
    .where("thread_id", "=", thread)
    .where("run_id", "=", runId);
  const later = await tx
    .selectFrom("checkpoints")
    .select("checkpoint_id")
    .where("thread_id", "=", thread)
    .where("run_id", "!=", runId)
    .where("parent_id", "in", made)
    .limit(1)
    .executeTakeFirst();
  await tx
    .deleteFrom("checkpoint_writes")
    .where("thread_id", "=", thread)
    .where((eb) => eb.or([eb("run_id", "=", runId), eb("checkpoint_id", "in", made)]))
    .execute();
  await tx
    .updateTable("checkpoint_writes")
    .set({ replaced_by: "" })
    .where("thread_id", "=", thread)
    .where("replaced_by", "=", runId)
    .execute();
  // Later checkpoints that build on this run's still need its values.
  if (!later)
    await tx.deleteFrom("checkpoint_values").where("thread_id", "=", thread).where("run_id", "=", runId).execute();
  await tx.deleteFrom("checkpoints").where("thread_id", "=", thread).where("run_id", "=", runId).execute();
}

/** Deletes all checkpoints but the newest of each namespace and returns those, whose values must then be made whole. */
export async function prune(tx: Db, thread: string): Promise<{ row: CheckpointsTable; scope: CheckpointScope }[]> {
  const newest = await tx
    .selectFrom("checkpoints")
    .select(["ns", (eb) => eb.fn.max("checkpoint_id").as("checkpoint_id")])
    .where("thread_id", "=", thread)
    .groupBy("ns")
    .execute();
  const kept: { row: CheckpointsTable; scope: CheckpointScope }[] = [];
  for (const { ns, checkpoint_id } of newest) {
    const ofNamespace = tx.selectFrom("checkpoints").selectAll().where("thread_id", "=", thread).where("ns", "=", ns);
    const row = await ofNamespace.where("checkpoint_id", "=", checkpoint_id).executeTakeFirstOrThrow();
    if (needsPast(row)) continue;
    for (const table of ["checkpoint_writes", "checkpoints"] as const)
      await tx
        .deleteFrom(table)
        .where("thread_id", "=", thread)
        .where("ns", "=", ns)
        .where("checkpoint_id", "!=", checkpoint_id)
        .execute();
    await tx
      .updateTable("checkpoints")
      .set({ parent_id: null })
      .where("thread_id", "=", thread)
      .where("ns", "=", ns)
      .execute();
    kept.push({ row, scope: { thread, ns } });
  }
  return kept;
}

/** Returns whether a checkpoint needs earlier ones. LangGraph then counts the steps since its last whole snapshot. */
function needsPast({ metadata }: CheckpointsTable): boolean {
  return "counters_since_delta_snapshot" in fromJson<object>(metadata);
}
