/**
 * Reads pages of threads by cursor. A source lists threads in the order of the page, from an index. What it does not answer
 * is checked on a bounded number of its entries (docs/decisions/058-threads-by-cursor.md).
 */
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { ThreadPage } from "../../engine/ports/threads.ts";
import type { CursorSort, ThreadFilter } from "../../protocol/threads.ts";
import type { ListPosition } from "../../rules/cursor.ts";
import { OVERFULL, toLabelSearch } from "../../rules/threads/labels.ts";
import type { Visibility } from "../../rules/visibility.ts";
import { hasMembers, matchesVisibility } from "./dialect.ts";
import { comesAfter, isUpTo } from "./keyset.ts";
import type { Db, ThreadsTable } from "./tables.ts";
import { labelHash } from "./thread-labels.ts";
import { isRare, isWaiting, mayWait } from "./thread-waiting.ts";

/** A list of at most this many threads is read and sorted. */
const FEW = 1_000;

/** The most entries of a source that are checked for one page. What follows is the next page's. */
export const MOST_THREADS_CHECKED = 3_000;

/** The conditions of a search: threads are in all lists of labels, and their rows fulfil all of `rows`. */
interface Conditions {
  lists: Uint8Array[][];
  rows: Partial<Record<"status" | "waiting" | "values" | "metadata" | "visible", Expression<SqlBool>>>;
}

/** Threads, listed by an index in the order of the page or, if there are few, in none. */
interface Source {
  table: "threads" | "thread_labels";
  where: Expression<SqlBool>[];
  few?: true;
  /** The conditions that are left to check. */
  checks: Conditions;
}

interface Entry {
  time: string;
  thread_id: string;
  created_at: string;
}

export async function pageOfThreads(
  db: Db,
  page: ThreadPage,
  visible: Visibility | undefined,
): Promise<{ rows: Selectable<ThreadsTable>[]; next?: ListPosition }> {
  const source = await sourceOf(db, page, await conditionsOf(db, page, visible));
  const { entries, stop } = await readEntries(db, source, page);
  const ids = entries.slice(0, page.limit).map((entry) => entry.thread_id);
  const rows = ids.length > 0 ? await db.selectFrom("threads").selectAll().where("thread_id", "in", ids).execute() : [];
  const byId = new Map(rows.map((row) => [row.thread_id, row]));
  const last = entries.length > page.limit ? entries[page.limit - 1] : undefined;
  return {
    // A thread that was deleted meanwhile is left out.
    rows: ids.flatMap((id) => byId.get(id) ?? []),
    next: last ? { time: last.time, id: last.thread_id } : stop,
  };
}

async function conditionsOf(
  db: Db,
  { metadata = {}, status, values, waiting }: ThreadFilter,
  visible: Visibility = [],
): Promise<Conditions> {
  const { labels, ...rest } = toLabelSearch(metadata, visible);
  const overfull = labelHash(OVERFULL);
  const isOverfull = labels.length > 0 && (await listed(db, [overfull], 1)).length > 0;
  // An overfull thread is in the list of every label, so its metadata must be checked.
  const unlabelled = isOverfull ? { metadata, visible } : rest;
  const hasMetadata = Object.keys(unlabelled.metadata).length > 0;
  return {
    lists: labels.map((label) => [labelHash(label), ...(isOverfull ? [overfull] : [])]),
    rows: {
      ...(status && { status: sql`threads.status = ${sql.lit(status)}` }),
      ...(waiting !== undefined && { waiting: isWaiting(waiting) }),
      ...(values && { values: hasMembers(db, "threads.values", values) }),
      ...(hasMetadata && { metadata: hasMembers(db, "threads.metadata", unlabelled.metadata) }),
      ...(unlabelled.visible.length > 0 && {
        visible: matchesVisibility(db, "threads.metadata", unlabelled.visible),
      }),
    },
  };
}

/** Chooses the source that is expected to hold the fewest threads. */
async function sourceOf(db: Db, page: ThreadPage, conditions: Conditions): Promise<Source> {
  const { status, waiting, sort_by } = page;
  const { lists, rows } = conditions;
  const few = page.ids ?? (await shortList(db, page, lists));
  if (few) {
    const isListed = sql<SqlBool>`threads.thread_id in (${sql.join(few.length > 0 ? few : [""])})`;
    return { table: "threads", where: [isListed], few: true, checks: conditions };
  }
  if (waiting) return { table: "threads", where: [mayWait()], checks: conditions };
  const { status: hasStatus, ...others } = rows;
  if (hasStatus && (sort_by === "created_at" || status === "interrupted" || status === "error")) {
    // A partial index is used only where its condition is repeated as it is.
    const where = sort_by === "created_at" ? [hasStatus] : [hasStatus, isRare()];
    return { table: "threads", where, checks: { lists, rows: others } };
  }
  const [first, ...rest] = lists;
  if (sort_by === "created_at" && first?.length === 1) {
    const where = [sql<SqlBool>`thread_labels.label = ${first[0]}`];
    return { table: "thread_labels", where, checks: { lists: rest, rows } };
  }
  return { table: "threads", where: [], checks: conditions };
}

/** Returns the threads of the shortest list, if it is short. */
async function shortList(db: Db, { status }: ThreadFilter, lists: Uint8Array[][]): Promise<string[] | undefined> {
  const found = await Promise.all(lists.map((labels) => listed(db, labels, FEW + 1)));
  // Few threads are busy at a time, and they leave the list often: no index has the order of their changes.
  if (status === "busy") {
    const busy = db
      .selectFrom("threads")
      .select("thread_id")
      .where("status", "=", "busy")
      .limit(FEW + 1);
    found.push((await busy.execute()).map((row) => row.thread_id));
  }
  const [shortest] = found.toSorted((a, b) => a.length - b.length);
  return shortest && shortest.length <= FEW ? shortest : undefined;
}

async function listed(db: Db, labels: Uint8Array[], most: number): Promise<string[]> {
  const rows = await db
    .selectFrom("thread_labels")
    .select("thread_id")
    .where("label", "in", labels)
    .limit(most)
    .execute();
  return rows.map((row) => row.thread_id);
}

/** Reads the entries of a page, one more if there are more, and the position at which checking them stopped early. */
async function readEntries(
  db: Db,
  source: Source,
  { sort_by, sort_order: order, after, limit }: ThreadPage,
): Promise<{ entries: Entry[]; stop?: ListPosition }> {
  const key = [`${source.table}.${sort_by}`, `${source.table}.thread_id`];
  const where = after ? [...source.where, comesAfter(key, [after.time, after.id], order)] : [...source.where];
  // An expression keeps the databases from reading all threads in order to find few.
  const time = source.few ? sql`coalesce(entry.time, '')` : sql`entry.time`;
  const select = () =>
    db
      .selectFrom(entriesOf(source.table, sort_by, where))
      .select(["entry.time", "entry.thread_id", "entry.created_at"])
      .orderBy(time, order)
      .orderBy("entry.thread_id", order);
  const { lists, rows } = source.checks;
  const checks = [...lists.map((labels) => hasLabel(db, labels)), ...rowChecks(Object.values(rows))];
  let stop: ListPosition | undefined;
  if (checks.length > 0 && !source.few) {
    const last = await select()
      .limit(1)
      .offset(MOST_THREADS_CHECKED - 1)
      .executeTakeFirst();
    if (last) {
      stop = { time: last.time, id: last.thread_id };
      where.push(isUpTo(key, [stop.time, stop.id], order));
    }
  }
  let query = select();
  for (const check of checks) query = query.where(check);
  return { entries: await query.limit(limit + 1).execute(), stop };
}

function entriesOf(table: Source["table"], time: CursorSort, where: readonly Expression<SqlBool>[]) {
  const columns = sql`${sql.ref(`${table}.${time}`)} as time, ${sql.ref(`${table}.thread_id`)} as thread_id,
    ${sql.ref(`${table}.created_at`)} as created_at`;
  const conditions = where.length > 0 ? sql` where ${sql.join(where, sql` and `)}` : sql``;
  return sql<Entry>`(select ${columns} from ${sql.table(table)}${conditions})`.as<"entry">(sql.ref("entry"));
}

/** Returns a condition. Its limit makes PostgreSQL check entry by entry, instead of joining with all threads of the label. */
function hasLabel(db: Db, labels: Uint8Array[]): Expression<SqlBool> {
  const found = db
    .selectFrom("thread_labels")
    .select("thread_labels.thread_id")
    .where("thread_labels.label", "in", labels)
    .where("thread_labels.created_at", "=", sql.ref<string>("entry.created_at"))
    .where("thread_labels.thread_id", "=", sql.ref<string>("entry.thread_id"));
  return sql`exists ${found.limit(1).offset(0)}`;
}

function rowChecks(conditions: Expression<SqlBool>[]): Expression<SqlBool>[] {
  if (conditions.length === 0) return [];
  return [
    sql`exists (select 1 from ${sql.table("threads")} where threads.thread_id = entry.thread_id and ${sql.join(conditions, sql` and `)}
      limit 1 offset 0)`,
  ];
}
