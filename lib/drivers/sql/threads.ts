import type { ThreadChange, ThreadStore } from "../../engine/ports/threads.ts";
import type { Ttl } from "../../protocol/threads.ts";
import { statusAfterChange } from "../../rules/threads/status.ts";
import type { GroupCommit } from "./group-commit.ts";
import { prepared } from "./prepared.ts";
import type { Db, Tables } from "./tables.ts";
import { deleteTasks } from "./tasks.ts";
import { forgetTokens } from "./run-tokens.ts";
import { addMetadata, deleteThread, insertThread } from "./thread-labels.ts";
import { fromThreadRow, ttlColumns } from "./thread-rows.ts";
import { pageOfThreads } from "./thread-pages.ts";
import { countThreads, searchThreads } from "./thread-search.ts";
import { WAITING } from "./thread-waiting.ts";
import { isoTime } from "../../protocol/iso-time.ts";

/** The default number of expired threads that one sweep handles. */
const SWEEP = 200;

export function sqlThreads(db: Db, commit: GroupCommit<Tables>): ThreadStore {
  const byId = prepared((input: { threadId: string }) =>
    db.selectFrom("threads").selectAll().where("thread_id", "=", input.threadId),
  );
  return {
    insert: (thread) => commit((tx) => insertThread(tx, thread)),
    async get(threadId) {
      const [row] = await byId(db, { threadId });
      return row && fromThreadRow(row);
    },
    async search(search, visible) {
      const { rows, total } = await searchThreads(db, search, visible);
      return { threads: rows.map(fromThreadRow), total };
    },
    async page(page, visible) {
      const { rows, next } = await pageOfThreads(db, page, visible);
      return { threads: rows.map(fromThreadRow), next };
    },
    count: (filter, visible) => countThreads(db, filter, visible),
    update: (threadId, change, now) => commit((tx) => update(tx, threadId, change, now), { thread: threadId }),
    delete: (threadId, expiredBy) => commit((tx) => remove(tx, threadId, expiredBy), { thread: threadId }),
    async expired(now, limit = SWEEP) {
      const rows = await db
        .selectFrom("threads")
        .select(["thread_id", "ttl_strategy"])
        .where("expires", "<=", now)
        .where("status", "!=", "busy")
        .orderBy("expires")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ thread_id: row.thread_id, strategy: strategyOf(row.ttl_strategy) }));
    },
  };
}

function strategyOf(text: string | null): Ttl["strategy"] {
  return text === "keep_latest" ? "keep_latest" : "delete";
}

async function update(tx: Db, threadId: string, { metadata, ttl, state }: ThreadChange, now: number) {
  const updated_at = isoTime(now);
  // The update comes first: it locks the row, so what is read from it stays true until the transaction ends.
  const touched = await tx
    .updateTable("threads")
    .set({ updated_at })
    .where("thread_id", "=", threadId)
    .returningAll()
    .executeTakeFirst();
  if (!touched) return undefined;
  const isOld = state?.checkpoint !== undefined && (await hasNewerCheckpoint(tx, threadId, state.checkpoint));
  const changes = {
    ...(metadata && { metadata: await addMetadata(tx, touched, metadata) }),
    ...(ttl && ttlColumns(ttl, now)),
    ...(state &&
      !isOld && {
        values: state.values,
        interrupts: JSON.stringify(state.interrupts),
        waiting: state.waiting ? WAITING.person : WAITING.nothing,
        state_updated_at: updated_at,
        status: statusAfterChange[touched.status][state.waiting ? "waits" : "rests"] ?? touched.status,
      }),
  };
  if (Object.keys(changes).length === 0) return fromThreadRow(touched);
  const row = await tx
    .updateTable("threads")
    .set(changes)
    .where("thread_id", "=", threadId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromThreadRow(row);
}

async function hasNewerCheckpoint(tx: Db, threadId: string, id: string): Promise<boolean> {
  const newer = tx.selectFrom("checkpoints").select("checkpoint_id").where("thread_id", "=", threadId);
  return (await newer.where("checkpoint_id", ">", id).limit(1).execute()).length > 0;
}

async function remove(tx: Db, threadId: string, expiredBy: number | undefined): Promise<string[] | undefined> {
  if (!(await deleteThread(tx, threadId, expiredBy))) return undefined;
  await tx.deleteFrom("crons").where("thread_id", "=", threadId).execute();
  await deleteTasks(tx, "thread_id", threadId);
  const runs = tx.selectFrom("runs").select("run_id").where("thread_id", "=", threadId);
  await tx.deleteFrom("run_events").where("run_id", "in", runs).execute();
  const deleted = await tx
    .deleteFrom("runs")
    .where("thread_id", "=", threadId)
    .returning(["run_id", "ended"])
    .execute();
  forgetTokens(tx);
  return deleted.filter(({ ended }) => ended === null).map(({ run_id }) => run_id);
}
