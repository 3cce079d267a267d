import { type Kysely, sql } from "kysely";
import type { ThreadChange, ThreadStore } from "../../engine/thread-ports.ts";
import type { ThreadFilter, Ttl } from "../../protocol/threads.ts";
import type { Visibility } from "../../rules/visibility.ts";
import type { Commit } from "./group-commit.ts";
import { fulfils, hasMembers } from "./dialect.ts";
import { fromJson } from "./json-column.ts";
import { type Param, prepared } from "./prepared.ts";
import type { Tables } from "./tables.ts";
import { fromThreadRow, toThreadRow, ttlColumns } from "./thread-rows.ts";

type Db = Kysely<Tables>;

/** Expired threads deleted in one go. */
const SWEEP = 200;

export function sqlThreads(db: Db, commit: Commit<Tables>): ThreadStore {
  const byId = prepared((param: Param<{ threadId: string }>) =>
    db.selectFrom("threads").selectAll().where("thread_id", "=", param("threadId")),
  );
  return {
    insert: (thread) =>
      commit(async (tx) => {
        const inserted = await tx
          .insertInto("threads")
          .values(toThreadRow(thread))
          .onConflict((conflict) => conflict.column("thread_id").doNothing())
          .returning("thread_id")
          .execute();
        return inserted.length > 0;
      }),
    async get(threadId) {
      const [row] = await byId(db, { threadId });
      return row && fromThreadRow(row);
    },
    async search(search, visible) {
      const [rows, total] = await Promise.all([
        matching(db, search, visible)
          .selectAll()
          .orderBy(search.sort_by, search.sort_order)
          .orderBy("thread_id", search.sort_order)
          .limit(search.limit)
          .offset(search.offset)
          .execute(),
        count(db, search, visible),
      ]);
      return { threads: rows.map(fromThreadRow), total };
    },
    count: (filter, visible) => count(db, filter, visible),
    update: (threadId, change, now) => commit((tx) => update(tx, threadId, change, now)),
    delete: (threadId) => commit((tx) => remove(tx, threadId)),
    async expired(now) {
      const rows = await db
        .selectFrom("threads")
        .select(["thread_id", "ttl_strategy"])
        .where("expires", "<=", now)
        .where("status", "!=", "busy")
        .orderBy("expires")
        .limit(SWEEP)
        .execute();
      return rows.map((row) => ({ thread_id: row.thread_id, strategy: strategyOf(row.ttl_strategy) }));
    },
  };
}

function strategyOf(text: string | null): Ttl["strategy"] {
  return text === "keep_latest" ? "keep_latest" : "delete";
}

async function count(db: Db, filter: ThreadFilter, visible: Visibility | undefined): Promise<number> {
  const row = await matching(db, filter, visible)
    .select(sql<number>`count(*)`.as("n"))
    .executeTakeFirstOrThrow();
  return row.n;
}

async function update(tx: Db, threadId: string, { metadata, ttl, state }: ThreadChange, now: number) {
  const updated_at = new Date(now).toISOString();
  // First, so that the row is this transaction's: what is read of it stays true until the end.
  const touched = await tx
    .updateTable("threads")
    .set({ updated_at })
    .where("thread_id", "=", threadId)
    .returningAll()
    .executeTakeFirst();
  if (!touched) return undefined;
  const changes = {
    ...(metadata && { metadata: JSON.stringify({ ...fromJson<object>(touched.metadata), ...metadata }) }),
    ...(ttl && ttlColumns(ttl, now)),
    ...(state && {
      values: state.values,
      interrupts: JSON.stringify(state.interrupts),
      waiting: state.next.length > 0 ? 1 : 0,
      state_updated_at: updated_at,
      ...(touched.status === "busy"
        ? {}
        : { status: state.next.length > 0 ? ("interrupted" as const) : ("idle" as const) }),
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

async function remove(tx: Db, threadId: string): Promise<boolean> {
  const deleted = await tx.deleteFrom("threads").where("thread_id", "=", threadId).returning("thread_id").execute();
  if (deleted.length === 0) return false;
  await tx.deleteFrom("crons").where("thread_id", "=", threadId).execute();
  const runs = tx.selectFrom("runs").select("run_id").where("thread_id", "=", threadId);
  await tx.deleteFrom("run_events").where("run_id", "in", runs).execute();
  await tx.deleteFrom("runs").where("thread_id", "=", threadId).execute();
  return true;
}

function matching(db: Db, { ids, status, metadata, values }: ThreadFilter, visible: Visibility | undefined) {
  let query = db.selectFrom("threads");
  if (visible) query = query.where(fulfils(db, "metadata", visible));
  if (ids !== undefined) query = query.where("thread_id", "in", ids.length > 0 ? ids : [""]);
  if (status !== undefined) query = query.where("status", "=", status);
  if (metadata !== undefined) query = query.where(hasMembers(db, "metadata", metadata));
  if (values !== undefined) query = query.where(hasMembers(db, "values", values));
  return query;
}
