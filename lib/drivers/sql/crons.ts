import { isoTime } from "../../protocol/iso-time.ts";
import type { Selectable } from "kysely";
import type { CronStore, Firing, StoredCron } from "../../engine/ports/crons.ts";
import type { AuthUser } from "../../protocol/auth.ts";
import type { CronFilter, CronSearch } from "../../protocol/crons.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Visibility } from "../../rules/visibility.ts";
import { countRows } from "./count-rows.ts";
import { matchesVisibility, hasMembers } from "./dialect.ts";
import type { GroupCommit } from "./group-commit.ts";
import { fromJson } from "./json-column.ts";
import type { CronsTable, Db, Tables } from "./tables.ts";

/** The most crons that one round fires. */
const ROUND = 100;

export function sqlCrons(db: Db, commit: GroupCommit<Tables>): CronStore {
  return {
    insert: (cron) => commit((tx) => tx.insertInto("crons").values(toRow(cron)).execute()).then(() => undefined),
    async get(cronId) {
      const row = await db.selectFrom("crons").selectAll().where("cron_id", "=", cronId).executeTakeFirst();
      return row && fromRow(row);
    },
    async search(search, visible) {
      const [rows, total] = await Promise.all([page(db, search, visible), countRows(matching(db, search, visible))]);
      return { crons: rows.map(fromRow), total };
    },
    count: (filter, visible) => countRows(matching(db, filter, visible)),
    update: (cronId, change) => commit((tx) => update(tx, cronId, change)),
    delete: (cronId, visible) =>
      commit(async (tx) => {
        let deletion = tx.deleteFrom("crons").where("cron_id", "=", cronId);
        if (visible) deletion = deletion.where(matchesVisibility(tx, "metadata", visible));
        return (await deletion.returning("cron_id").execute()).length > 0;
      }),
    async due(now) {
      const due = db.selectFrom("crons").selectAll().where("next_run", "<=", now);
      return (await due.orderBy("next_run").orderBy("cron_id").limit(ROUND).execute()).map(fromRow);
    },
    async nextDue(after) {
      const first = db.selectFrom("crons").select("next_run").where("next_run", ">", after);
      return (await first.orderBy("next_run").limit(1).executeTakeFirst())?.next_run ?? undefined;
    },
    skip: (firing) => commit((tx) => advance(tx, firing)),
  };
}

/** Claims a firing. Of concurrent callers only one gets true. */
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

async function update(
  tx: Db,
  cronId: string,
  change: (cron: StoredCron) => StoredCron,
): Promise<StoredCron | undefined> {
  // The update comes first: it locks the row, so what is read from it stays true until the transaction ends.
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

async function page(db: Db, search: CronSearch, visible: Visibility | undefined): Promise<Selectable<CronsTable>[]> {
  const column = search.sort_by === "next_run_date" ? "next_run" : search.sort_by;
  return await matching(db, search, visible)
    .selectAll()
    .orderBy(column, (order) => order[search.sort_order]().nullsLast())
    .orderBy("cron_id", search.sort_order)
    .limit(search.limit)
    .offset(search.offset)
    .execute();
}

function matching(db: Db, { assistant_id, thread_id, enabled, metadata }: CronFilter, visible: Visibility | undefined) {
  let query = db.selectFrom("crons");
  if (visible) query = query.where(matchesVisibility(db, "metadata", visible));
  if (assistant_id !== undefined) query = query.where("assistant_id", "=", assistant_id);
  if (thread_id !== undefined) query = query.where("thread_id", "=", thread_id);
  if (enabled !== undefined) query = query.where("enabled", "=", enabled ? 1 : 0);
  if (metadata !== undefined) query = query.where(hasMembers(db, "metadata", metadata));
  return query;
}

function toRow(cron: StoredCron): CronsTable {
  const { next_run_date, user, ...columns } = cron;
  return {
    ...columns,
    enabled: cron.enabled ? 1 : 0,
    on_run_completed: cron.on_run_completed ?? null,
    payload: JSON.stringify(cron.payload),
    metadata: JSON.stringify(cron.metadata),
    auth_user: user ? JSON.stringify(user) : null,
    next_run: next_run_date === null ? null : Date.parse(next_run_date),
  };
}

function fromRow({ next_run, on_run_completed, auth_user, ...row }: Selectable<CronsTable>): StoredCron {
  return {
    ...row,
    enabled: row.enabled === 1,
    ...(on_run_completed !== null && { on_run_completed }),
    ...(auth_user !== null && { user: fromJson<AuthUser>(auth_user) }),
    payload: fromJson<JsonObject>(row.payload),
    metadata: fromJson<JsonObject>(row.metadata),
    next_run_date: next_run === null ? null : isoTime(next_run),
  };
}
