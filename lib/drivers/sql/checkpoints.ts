import type { CheckpointStore } from "../../engine/ports/threads.ts";
import type { RequestOrigin } from "../../protocol/host-requests.ts";
import { Fault } from "../../protocol/faults.ts";
import { readPage } from "./checkpoint-pages.ts";
import { fromRow, LARGEST, toRow, versionsOf } from "./checkpoint-rows.ts";
import { copyThread, deleteThread, prune } from "./checkpoint-threads.ts";
import { checkpointValues } from "./checkpoint-values.ts";
import { checkpointWrites } from "./checkpoint-writes.ts";
import { lockShared } from "./dialect.ts";
import type { GroupCommit } from "./group-commit.ts";
import { prepared } from "./prepared.ts";
import type { CheckpointsTable, Db, Tables } from "./tables.ts";

export function sqlCheckpoints(db: Db, commit: GroupCommit<Tables>): CheckpointStore {
  const values = checkpointValues(db);
  const writes = checkpointWrites(db);
  const statements = checkpointStatements(db);
  const guarded = guard(commit, statements.current);

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
    put: (origin, checkpoint, versions) =>
      guarded(origin, async (tx) => {
        if (!(await values.put(tx, checkpoint, origin.run, versions))) return { whole: true as const };
        await statements.insert(tx, toRow(checkpoint, origin.run));
        return null;
      }),
    putWrites: (origin, checkpoint, given) => guarded(origin, (tx) => writes.put(tx, checkpoint, origin.run, given)),
    deleteThread: (origin, thread) => guarded(origin, (tx) => deleteThread(tx, thread)),
    copyThread: (from, to) => commit((tx) => copyThread(tx, from, to)),
    prune: (thread) =>
      commit(async (tx) => {
        for (const { row, scope } of await prune(tx, thread)) {
          // A state that is too large to be read keeps its chains.
          if ((await values.measure(tx, scope, versionsOf(row))) > LARGEST) continue;
          const versions = await values.read(tx, scope, versionsOf(row));
          await tx.deleteFrom("checkpoint_values").where("thread_id", "=", thread).where("ns", "=", row.ns).execute();
          await values.putWhole(tx, scope, row.run_id, versions, versionsOf(row));
        }
      }),
  };
}

type TokenCheck = (tx: Db, origin: { run_id: string; token: number }) => Promise<unknown[]>;

/** Runs a write if the requester's token is current. The same transaction checks it, so no claim can come in between. */
function guard(commit: GroupCommit<Tables>, isCurrent: TokenCheck) {
  return async <R>({ run, token }: RequestOrigin, write: (tx: Db) => Promise<R>): Promise<R> => {
    const result = await commit(async (tx) => {
      const current = token === 0 || (await isCurrent(tx, { run_id: run, token })).length > 0;
      return current ? { of: await write(tx) } : undefined;
    });
    if (!result) throw new Fault("conflict", `Run ${run} has ended and can't change its thread any more`);
    return result.of;
  };
}

function checkpointStatements(db: Db) {
  type NamespaceKey = Pick<CheckpointsTable, "thread_id" | "ns">;
  return {
    /** Checks that a token is current, and locks the run so that it can't end before the write is committed. */
    current: prepared((input: { run_id: string; token: number }) =>
      lockShared(
        db,
        db
          .selectFrom("runs")
          .select("run_id")
          .where("run_id", "=", input.run_id)
          .where("token", "=", input.token)
          .where("ended", "is", null),
      ),
    ),
    newest: prepared((input: NamespaceKey) =>
      db
        .selectFrom("checkpoints")
        .selectAll()
        .where("thread_id", "=", input.thread_id)
        .where("ns", "=", input.ns)
        .orderBy("checkpoint_id", "desc")
        .limit(1),
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
