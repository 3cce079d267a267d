/** Writes of a step's tasks before the next checkpoint. An interrupted step resumes from them. */
import { sql } from "kysely";
import type { CheckpointCursor, CheckpointScope, CheckpointWrite } from "../../protocol/checkpoints.ts";
import { LARGEST, tooLarge } from "./checkpoint-rows.ts";
import { boundText, prepared } from "./prepared.ts";
import type { CheckpointWritesTable, Db } from "./tables.ts";

export function checkpointWrites(db: Db) {
  const { read, insertFirst, insertLast, setAside } = writeStatements(db);
  return {
    async put(tx: Db, { thread, ns, id }: CheckpointCursor, run: string, writes: readonly CheckpointWrite[]) {
      for (const { task, index, channel, type, data } of writes) {
        const key = { thread_id: thread, ns, checkpoint_id: id, task_id: task, idx: index };
        const row = { ...key, replaced_by: "", run_id: run, channel, type, data };
        if (index < 0) {
          await setAside(tx, row);
          await insertLast(tx, row);
        } else await insertFirst(tx, row);
      }
    },
    /** Returns the writes of one checkpoint. Faults: `too_large`. */
    async of({ thread, ns, id }: CheckpointCursor): Promise<CheckpointWrite[]> {
      const rows = await read(db, { thread_id: thread, ns, checkpoint_id: id, most: LARGEST });
      return rows.map(({ data, ...row }) => {
        if (data === null) throw tooLarge();
        return fromRow({ ...row, data });
      });
    },
    /** Returns how many bytes `ofMany` would read. */
    async measure({ thread, ns }: CheckpointScope, ids: readonly string[]): Promise<number> {
      const sum = db
        .selectFrom("checkpoint_writes")
        .select(sql<number | string | null>`sum(octet_length(data))`.as("bytes"))
        .where("replaced_by", "=", "")
        .where("thread_id", "=", thread)
        .where("ns", "=", ns)
        .where("checkpoint_id", "in", ids);
      return Number((await sum.executeTakeFirst())?.bytes ?? 0);
    },
    /** Returns the writes of several checkpoints, keyed by checkpoint id. */
    async ofMany({ thread, ns }: CheckpointScope, ids: readonly string[]): Promise<Map<string, CheckpointWrite[]>> {
      const rows = await current(db)
        .where("thread_id", "=", thread)
        .where("ns", "=", ns)
        .where("checkpoint_id", "in", ids)
        .execute();
      const grouped = Map.groupBy(rows, (row) => row.checkpoint_id);
      return new Map([...grouped].map(([id, group]) => [id, group.map(fromRow)]));
    },
  };
}

/** Compiles the statements that every step executes. */
function writeStatements(db: Db) {
  /** Reads rows; `data` is null in all of them when it takes more than `most` bytes together. */
  const read = prepared(
    (input: Pick<CheckpointWritesTable, "thread_id" | "ns" | "checkpoint_id"> & { most: number }) => {
      const ofCheckpoint = current(db)
        .where("thread_id", "=", boundText(input.thread_id))
        .where("ns", "=", boundText(input.ns))
        .where("checkpoint_id", "=", boundText(input.checkpoint_id));
      const bytes = ofCheckpoint
        .clearSelect()
        .clearOrderBy()
        .select(sql`sum(octet_length(data))`.as("bytes"));
      const data = sql<string | null>`case when (${bytes}) <= ${input.most} then data end`;
      return ofCheckpoint.clearSelect().select(["checkpoint_id", "task_id", "idx", "channel", "type", data.as("data")]);
    },
  );
  const insertFirst = prepared<CheckpointWritesTable, unknown>((row) =>
    db
      .insertInto("checkpoint_writes")
      .values(row)
      .onConflict((conflict) => conflict.doNothing()),
  );
  const insertLast = prepared<CheckpointWritesTable, unknown>((row) =>
    db
      .insertInto("checkpoint_writes")
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(["thread_id", "ns", "checkpoint_id", "task_id", "idx", "replaced_by"]).doUpdateSet((eb) => ({
          channel: eb.ref("excluded.channel"),
          type: eb.ref("excluded.type"),
          data: eb.ref("excluded.data"),
        })),
      ),
  );
  /** Marks another run's write as replaced, so that it becomes current again if this run is rolled back. */
  const setAside = prepared((input: CheckpointWritesTable) =>
    db
      .updateTable("checkpoint_writes")
      .set({ replaced_by: input.run_id })
      .where("thread_id", "=", input.thread_id)
      .where("ns", "=", input.ns)
      .where("checkpoint_id", "=", input.checkpoint_id)
      .where("task_id", "=", input.task_id)
      .where("idx", "=", input.idx)
      .where("replaced_by", "=", "")
      .where("run_id", "!=", input.run_id),
  );
  return { read, insertFirst, insertLast, setAside };
}

function current(db: Db) {
  return db
    .selectFrom("checkpoint_writes")
    .select(["checkpoint_id", "task_id", "idx", "channel", "type", "data"])
    .where("replaced_by", "=", sql.lit(""))
    .orderBy("task_id")
    .orderBy("idx");
}

function fromRow(row: Pick<CheckpointWritesTable, "task_id" | "idx" | "channel" | "type" | "data">): CheckpointWrite {
  return { task: row.task_id, index: row.idx, channel: row.channel, type: row.type, data: row.data };
}
