import type { Selectable } from "kysely";
import type { AssistantStore } from "../../engine/ports/assistants.ts";
import type { Assistant, AssistantChange, AssistantFilter, AssistantSearch } from "../../protocol/assistants.ts";
import type { Visibility } from "../../rules/visibility.ts";
import { deleteVersions, insertVersion, readVersion, readVersions } from "./assistant-versions.ts";
import { countRows } from "./count-rows.ts";
import { hasMembers, includesText, isPostgres, matchesVisibility } from "./dialect.ts";
import type { GroupCommit } from "./group-commit.ts";
import { fromJson } from "./json-column.ts";
import { prepared } from "./prepared.ts";
import type { AssistantsTable, Db, Tables } from "./tables.ts";
import { deleteTasks } from "./tasks.ts";

/** The most assistants in the cache, which every run reads. All writes of this server pass through this store and clear it. */
const CACHED = 500;
/** The time in ms after which the cache sees what another server has written to PostgreSQL. */
const CACHED_MS = 1_000;

export function sqlAssistants(db: Db, commit: GroupCommit<Tables>): AssistantStore {
  const { get, write } = cachedReads(db, commit);
  return {
    ensure: (assistant) => write((tx) => ensure(tx, assistant)),
    get,
    search: (search, visible) => page(db, search, visible),
    count: (filter, visible) => countRows(matching(db, filter, visible)),
    update: (assistantId, change) => write((tx) => update(tx, assistantId, change)),
    versions: (assistantId, search) => readVersions(db, assistantId, search),
    setLatest: (assistantId, version, now) => write((tx) => setLatest(tx, assistantId, version, now)),
    delete: (assistantId) => write((tx) => remove(tx, assistantId)),
  };
}

/** Caches reads until the next write of this server. */
function cachedReads(db: Db, commit: GroupCommit<Tables>) {
  const byId = prepared((input: { assistantId: string }) =>
    db.selectFrom("assistants").selectAll().where("assistant_id", "=", input.assistantId),
  );
  const known = new Map<string, { assistant: Assistant; until: number }>();
  const lifetime = isPostgres(db) ? CACHED_MS : Infinity;
  let writes = 0;
  return {
    async get(assistantId: string): Promise<Assistant | undefined> {
      const kept = known.get(assistantId);
      if (kept && kept.until > performance.now()) return kept.assistant;
      const until = performance.now() + lifetime;
      const before = writes;
      const [row] = await byId(db, { assistantId });
      if (!row) return undefined;
      const assistant = fromRow(row);
      // A read during a write may return the old assistant, so it is not cached.
      if (before !== writes) return assistant;
      if (known.size >= CACHED) known.clear();
      known.set(assistantId, { assistant, until });
      return assistant;
    },
    async write<R>(change: (tx: Db) => Promise<R>): Promise<R> {
      const result = await commit(change);
      writes++;
      known.clear();
      return result;
    },
  };
}

async function ensure(tx: Db, assistant: Assistant): Promise<boolean> {
  const inserted = await tx
    .insertInto("assistants")
    .values({ ...toRow(assistant), newest_version: assistant.version })
    .onConflict((conflict) => conflict.column("assistant_id").doNothing())
    .returning("assistant_id")
    .executeTakeFirst();
  if (inserted) await insertVersion(tx, assistant, assistant.created_at);
  return inserted !== undefined;
}

async function update(tx: Db, assistantId: string, change: AssistantChange): Promise<Assistant | undefined> {
  // The update takes a version number and locks the row, so the next change reads what this one wrote.
  const row = await tx
    .updateTable("assistants")
    .set((eb) => ({ newest_version: eb("newest_version", "+", 1) }))
    .where("assistant_id", "=", assistantId)
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  const changed = { ...change(fromRow(row)), version: row.newest_version };
  await tx.updateTable("assistants").set(toRow(changed)).where("assistant_id", "=", assistantId).execute();
  await insertVersion(tx, changed, changed.updated_at);
  return changed;
}

async function setLatest(tx: Db, assistantId: string, version: number, now: string): Promise<Assistant | undefined> {
  const row = await readVersion(tx, assistantId, version);
  if (!row) return undefined;
  const { created_at: _, ...fields } = row;
  const restored = await tx
    .updateTable("assistants")
    .set({ ...fields, updated_at: now })
    .where("assistant_id", "=", assistantId)
    .returningAll()
    .executeTakeFirst();
  return restored && fromRow(restored);
}

async function remove(tx: Db, assistantId: string): Promise<boolean> {
  const result = await tx.deleteFrom("assistants").where("assistant_id", "=", assistantId).executeTakeFirst();
  if (result.numDeletedRows === 0n) return false;
  await deleteVersions(tx, assistantId);
  const ended = tx
    .selectFrom("runs")
    .select("run_id")
    .where("assistant_id", "=", assistantId)
    .where("ended", "is not", null);
  await tx.deleteFrom("run_events").where("run_id", "in", ended).execute();
  await tx.deleteFrom("runs").where("run_id", "in", ended).execute();
  await deleteTasks(tx, "assistant_id", assistantId);
  return true;
}

async function page(
  db: Db,
  search: AssistantSearch,
  visible: Visibility | undefined,
): Promise<{ assistants: Assistant[]; total: number }> {
  const [rows, total] = await Promise.all([
    matching(db, search, visible)
      .selectAll()
      .orderBy(search.sort_by, search.sort_order)
      .orderBy("assistant_id")
      .limit(search.limit)
      .offset(search.offset)
      .execute(),
    countRows(matching(db, search, visible)),
  ]);
  return { assistants: rows.map(fromRow), total };
}

function matching(db: Db, filter: AssistantFilter, visible: Visibility | undefined) {
  let query = db.selectFrom("assistants");
  if (visible) query = query.where(matchesVisibility(db, "metadata", visible));
  if (filter.graph_id !== undefined) query = query.where("graph_id", "=", filter.graph_id);
  if (filter.name !== undefined) query = query.where(includesText(db, "name", filter.name));
  if (filter.metadata !== undefined) query = query.where(hasMembers(db, "metadata", filter.metadata));
  return query;
}

function toRow(assistant: Assistant): Omit<Selectable<AssistantsTable>, "newest_version"> {
  return {
    ...assistant,
    config: JSON.stringify(assistant.config),
    context: JSON.stringify(assistant.context),
    metadata: JSON.stringify(assistant.metadata),
  };
}

function fromRow(row: Selectable<AssistantsTable>): Assistant {
  const { newest_version: _, ...fields } = row;
  return {
    ...fields,
    config: fromJson(row.config),
    context: fromJson(row.context),
    metadata: fromJson(row.metadata),
  };
}
