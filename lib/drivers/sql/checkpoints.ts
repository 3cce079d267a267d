import { sql } from "kysely";
import type { CheckpointStore } from "../../engine/ports/threads.ts";
import { Fault } from "../../protocol/faults.ts";
import { HOST, type RequestOrigin } from "../../protocol/host-requests.ts";
import { readOutline, readPage } from "./checkpoint-pages.ts";
import { fromRow, LARGEST, toRow, versionsOf } from "./checkpoint-rows.ts";
import { copyThread, deleteThread, prune } from "./checkpoint-threads.ts";
import { checkpointValues } from "./checkpoint-values.ts";
import { checkpointWrites } from "./checkpoint-writes.ts";
import type { GroupCommit } from "./group-commit.ts";
import { boundText, prepared } from "./prepared.ts";
import { fencedCommit } from "./run-tokens.ts";
import type { CheckpointsTable, Db, Tables } from "./tables.ts";
import { threadLocks } from "./thread-locks.ts";

export function sqlCheckpoints(db: Db, commit: GroupCommit<Tables>): CheckpointStore {
  const values = checkpointValues(db);
  const writes = checkpointWrites(db);
  const statements = checkpointStatements(db);
  const fenced = fencedCommit(db, commit);
  const { lockHistory, requireAtRest } = threadLocks(db);
  const changing = <R>(origin: RequestOrigin, thread: string, write: (tx: Db) => Promise<R>): Promise<R> =>
    fenced(
      origin,
      async (tx) => {
        if (origin.token === HOST.token) await requireAtRest(tx, thread);
        return await write(tx);
      },
      { thread },
    );

  return {
    async get({ thread, ns }, { id, known } = {}) {
      const scope = { thread_id: thread, ns };
      const [row] =
        id === undefined
          ? await statements.newest(db, scope)
          : await statements.get(db, { ...scope, checkpoint_id: id });
      if (!row) return undefined;
      const found = { ...fromRow(row), writes: await writes.of({ thread, ns, id: row.checkpoint_id }) };
      if (row.checkpoint_id === known) return { same: true, writes: found.writes };
      return { checkpoint: found, versions: await values.read(db, { thread, ns }, versionsOf(row)) };
    },
    list: (query) => readPage(db, { values, writes }, query),
    outline: (place, page) => readOutline(db, place, page),
    put: (origin, checkpoint, versions) =>
      changing(origin, checkpoint.thread, async (tx) => {
        if (!(await values.put(tx, checkpoint, origin.run, versions))) return { whole: true as const };
        await statements.insert(tx, toRow(checkpoint, origin.run));
        return null;
      }),
    change: (origin, change, hasFailed) =>
      changing(origin, change.thread, async (tx) => {
        if (hasFailed()) throw new Fault("conflict", "A change before it could not be stored");
        if (change.do === "writes") return await writes.put(tx, change, origin.run, change.writes);
        if (!(await values.put(tx, change, origin.run, change.versions))) throw new Fault("conflict", NO_BASE);
        await statements.insert(tx, toRow(change, origin.run));
      }),
    putWrites: (origin, checkpoint, given) =>
      changing(origin, checkpoint.thread, (tx) => writes.put(tx, checkpoint, origin.run, given)),
    deleteThread: (origin, thread) => fenced(origin, (tx) => deleteThread(tx, thread)),
    copyThread: (from, to, upTo) =>
      commit(async (tx) => {
        await lockHistory(tx, from);
        await copyThread(tx, from, to, upTo);
      }),
    prune: (thread) =>
      commit(async (tx) => {
        await lockHistory(tx, thread);
        await pruneThread(values, tx, thread);
      }),
  };
}

/** Keeps the newest checkpoint of each namespace, with whole values. */
async function pruneThread(values: ReturnType<typeof checkpointValues>, tx: Db, thread: string): Promise<void> {
  for (const { row, scope } of await prune(tx, thread)) {
    // A state that is too large to be read keeps its chains.
    if ((await values.measure(tx, scope, versionsOf(row))) > LARGEST) continue;
    const versions = await values.read(tx, scope, versionsOf(row));
    await tx.deleteFrom("checkpoint_values").where("thread_id", "=", thread).where("ns", "=", row.ns).execute();
    await values.putWhole(tx, scope, row.run_id, versions, versionsOf(row));
  }
}

const NO_BASE = "The thread's checkpoints were deleted while the run was going on";

function checkpointStatements(db: Db) {
  type NamespaceKey = Pick<CheckpointsTable, "thread_id" | "ns">;
  return {
    newest: prepared((input: NamespaceKey) =>
      db
        .selectFrom("checkpoints")
        .selectAll()
        .where("thread_id", "=", boundText(input.thread_id))
        .where("ns", "=", boundText(input.ns))
        .orderBy("checkpoint_id", "desc")
        .limit(sql.lit(1)),
    ),
    get: prepared((input: NamespaceKey & Pick<CheckpointsTable, "checkpoint_id">) =>
      db
        .selectFrom("checkpoints")
        .selectAll()
        .where("thread_id", "=", input.thread_id)
        .where("ns", "=", input.ns)
        .where("checkpoint_id", "=", input.checkpoint_id),
    ),
    insert: prepared<CheckpointsTable, unknown>((row) =>
      db
        .insertInto("checkpoints")
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(["thread_id", "ns", "checkpoint_id"]).doUpdateSet((eb) => ({
            checkpoint: eb.ref("excluded.checkpoint"),
            metadata: eb.ref("excluded.metadata"),
          })),
        ),
    ),
  };
}
