import { type Kysely, type Selectable, sql } from "kysely";
import type { CronStore, Firing } from "../../engine/cron-ports.ts";
import type { Cron, CronFilter, CronSearch } from "../../protocol/crons.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { hasMembers } from "./dialect.ts";
import type { Commit } from "./group-commit.ts";
import { fromJson } from "./json-column.ts";
import type { CronsTable, Tables } from "./tables.ts";

type Db = Kysely<Tables>;

/** Crons fired in one round. */
const ROUND = 100;

export function sqlCrons(db: Db, commit: Commit<Tables>): CronStore {
  return {
    insert: (cron) => commit((tx) => tx.insertInto("crons").values(toRow(cron)).execute()).then(() => undefined),
    async get(cronId) {
      const row = await db.selectFrom("crons").selectAll().where("cron_id", "=", cronId).executeTakeFirst();
      return row && fromRow(row);
    },
    async search(search) {
      const [rows, total] = await Promise.all([page(db, search), count(db, search)]);
      return { crons: rows.map(fromRow), total };
    },
    count: (filter) => count(db, filter),
    update: (cronId, change) => commit((tx) => update(tx, cronId, change)),
    delete: (cronId) =>
      commit(async (tx) => {
        const deleted = await tx.deleteFrom("crons").where("cron_id", "=", cronId).returning("cron_id").execute();
        return deleted.length > 0;
      }),
    async due(now) {
      const due = db.selectFrom("crons").selectAll().where("next_run", "<=", now);
      return (await due.orderBy("next_run").orderBy("cron_id").limit(ROUND).execute()).map(fromRow);
    },
    async nextDue() {
      const first = db.selectFrom("crons").select("next_run").where("next_run", "is not", null);
      return (await first.orderBy("next_run").limit(1).executeTakeFirst())?.next_run ?? undefined;
    },
    skip: (firing) => commit((tx) => advance(tx, firing)),
  };
}

/** Takes the firing, for one of those who try. */
export async function advance(tx: Db, { cron_id, due, next }: Firing): Promise<boolean> {
  const taken = await tx
    .updateTable("crons")
    .set({ next_run: next ?? null })
    .where("cron_id", "=", cron_id)
    .where("next_run", "=", due)
    .returning("cron_id")
    .execute();
  return taken.length > 0;
}

async function update(tx: Db, cronId: string, change: (cron: Cron) => Cron): Promise<Cron | undefined> {
  // First, so that the row is this transaction's: what is read of it stays true until the end.
  const row = await tx
    .updateTable("crons")
    .set((eb) => ({ enabled: eb.ref("crons.enabled") }))
    .where("cron_id", "=", cronId)
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  const cron = change(fromRow(row));
  await tx.updateTable("crons").set(toRow(cron)).where("cron_id", "=", cronId).execute();
  return cron;
}

async function count(db: Db, filter: CronFilter): Promise<number> {
  const row = await matching(db, filter)
    .select(sql<number>`count(*)`.as("n"))
    .executeTakeFirstOrThrow();
  return row.n;
}

async function page(db: Db, search: CronSearch): Promise<Selectable<CronsTable>[]> {
  const column = search.sort_by === "next_run_date" ? "next_run" : search.sort_by;
  return await matching(db, search)
    .selectAll()
    .orderBy(column, (order) => order[search.sort_order]().nullsLast())
    .orderBy("cron_id", search.sort_order)
    .limit(search.limit)
    .offset(search.offset)
    .execute();
}

function matching(db: Db, { assistant_id, thread_id, enabled, metadata }: CronFilter) {
  let query = db.selectFrom("crons");
  if (assistant_id !== undefined) query = query.where("assistant_id", "=", assistant_id);
  if (thread_id !== undefined) query = query.where("thread_id", "=", thread_id);
  if (enabled !== undefined) query = query.where("enabled", "=", enabled ? 1 : 0);
  if (metadata !== undefined) query = query.where(hasMembers(db, "metadata", metadata));
  return query;
}

function toRow(cron: Cron): CronsTable {
  const { next_run_date, ...columns } = cron;
  return {
    ...columns,
    enabled: cron.enabled ? 1 : 0,
    on_run_completed: cron.on_run_completed ?? null,
    payload: JSON.stringify(cron.payload),
    metadata: JSON.stringify(cron.metadata),
    next_run: next_run_date === null ? null : Date.parse(next_run_date),
  };
}

function fromRow({ next_run, on_run_completed, ...row }: Selectable<CronsTable>): Cron {
  return {
    ...row,
    enabled: row.enabled === 1,
    ...(on_run_completed !== null && { on_run_completed }),
    payload: fromJson<JsonObject>(row.payload),
    metadata: fromJson<JsonObject>(row.metadata),
    next_run_date: next_run === null ? null : new Date(next_run).toISOString(),
  };
}
