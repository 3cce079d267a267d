/**
 * Searches threads. Indexes list the threads with a label, and those with a status, in the order of their creation; all
 * other conditions are checked on the threads themselves.
 */
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { ThreadFilter, ThreadSearch, ThreadStatus } from "../../protocol/threads.ts";
import { OVERFULL, toLabelSearch, type LabelSearch } from "../../rules/threads/labels.ts";
import type { Visibility } from "../../rules/visibility.ts";
import { countRows } from "./count-rows.ts";
import { matchesVisibility, hasMembers } from "./dialect.ts";
import type { Db, ThreadsTable } from "./tables.ts";
import { isWaiting } from "./thread-waiting.ts";
import { labelHash } from "./thread-labels.ts";

/** A list of at most this many threads is read and sorted. Otherwise threads are scanned in order for a page. */
const FEW = 1_000;

/** A list of threads in an index. */
type IndexList = { labels: Uint8Array[] } | { status: ThreadStatus };

/** Conditions of a search: threads are in all of `lists`, the shortest first, and fulfil the other members. */
interface Lookup extends Omit<LabelSearch, "labels">, Pick<ThreadFilter, "ids" | "values" | "waiting"> {
  lists: { list: IndexList; length: number }[];
}

/** The rows that a query returns: those of one page, or all. */
type Extent = "page" | "all";

export async function searchThreads(
  db: Db,
  search: ThreadSearch,
  visible: Visibility | undefined,
): Promise<{ rows: Selectable<ThreadsTable>[]; total: number }> {
  const lookup = await lookUp(db, search, visible);
  const [rows, total] = await Promise.all([page(db, lookup, search), totalOf(db, lookup)]);
  return { rows, total };
}

export async function countThreads(db: Db, filter: ThreadFilter, visible: Visibility | undefined): Promise<number> {
  return await totalOf(db, await lookUp(db, filter, visible));
}

async function lookUp(
  db: Db,
  { metadata = {}, ids, status, values, waiting }: ThreadFilter,
  visible: Visibility = [],
): Promise<Lookup> {
  const { labels, ...rest } = toLabelSearch(metadata, visible);
  const overfull = labelHash(OVERFULL);
  const isOverfull = labels.length > 0 && (await lengthOf(db, { labels: [overfull] }, 1)) > 0;
  const lists = labels.map((label): IndexList => ({ labels: [labelHash(label), ...(isOverfull ? [overfull] : [])] }));
  if (status !== undefined) lists.push({ status });
  return {
    lists: await measured(db, lists),
    // An overfull thread is in the list of every label, so its metadata must be checked.
    ...(isOverfull ? { metadata, visible } : rest),
    ids,
    values,
    waiting,
  };
}

/** Returns lists with their lengths, the shortest first. Long lists are counted to the end only when all are long. */
async function measured(db: Db, lists: readonly IndexList[]): Promise<Lookup["lists"]> {
  const measure = (most?: number) =>
    Promise.all(lists.map(async (list) => ({ list, length: await lengthOf(db, list, most) })));
  const short = await measure(FEW + 1);
  const areLong = short.every(({ length }) => length > FEW);
  return (areLong ? await measure() : short).toSorted((a, b) => a.length - b.length);
}

async function page(db: Db, lookup: Lookup, { sort_by, sort_order, limit, offset }: ThreadSearch) {
  const [shortest] = lookup.lists;
  const inOrder = sort_by === "created_at";
  const isListDriven = shortest !== undefined && lookup.ids === undefined && (inOrder || shortest.length <= FEW);
  const order = isListDriven && inOrder ? "listed" : "threads";
  return await matching(db, lookup, isListDriven, "page")
    .selectAll("threads")
    .orderBy(sql.ref(`${order}.${sort_by}`), sort_order)
    .orderBy(sql.ref(`${order}.thread_id`), sort_order)
    .limit(limit)
    .offset(offset)
    .execute();
}

async function totalOf(db: Db, lookup: Lookup): Promise<number> {
  const { lists, ids, values, waiting, metadata, visible } = lookup;
  const [shortest, ...others] = lists;
  const asksMore = ids !== undefined || values !== undefined || waiting !== undefined;
  const isDecidedByLists = !asksMore && isEmpty(metadata) && visible.length === 0;
  if (!shortest || !isDecidedByLists)
    return await countRows(matching(db, lookup, shortest !== undefined && ids === undefined, "all"));
  return others.length === 0 ? shortest.length : await countRows(db.selectFrom(inAll(db, lists, "all").as("listed")));
}

/** Selects the matching threads. When `isListDriven`, the query reads the shortest list, named `listed`. */
function matching(
  db: Db,
  { lists, ids, values, waiting, metadata, visible }: Lookup,
  isListDriven: boolean,
  extent: Extent,
) {
  let query = db.selectFrom("threads");
  if (isListDriven) {
    const listed = inAll(db, lists, extent).as("listed");
    // `$if` keeps the query's type.
    query = query.$if(true, (threads) => threads.innerJoin(listed, "listed.thread_id", "threads.thread_id"));
  } else {
    for (const { list } of lists) query = query.where(isIn(db, list, "threads", extent));
  }
  if (ids !== undefined) query = query.where("threads.thread_id", "in", ids.length > 0 ? ids : [""]);
  if (values !== undefined) query = query.where(hasMembers(db, "values", values));
  if (waiting !== undefined) query = query.where(isWaiting(waiting));
  if (!isEmpty(metadata)) query = query.where(hasMembers(db, "metadata", metadata));
  if (visible.length > 0) query = query.where(matchesVisibility(db, "metadata", visible));
  return query;
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

function inList(db: Db, list: IndexList) {
  const columns = ["created_at", "thread_id"] as const;
  if ("status" in list) return db.selectFrom("threads").select(columns).where("status", "=", list.status);
  return db.selectFrom("thread_labels").select(columns).where("label", "in", list.labels);
}

/** Selects the entries of the first list that are in all others. */
function inAll(db: Db, [shortest, ...others]: Lookup["lists"], extent: Extent) {
  if (!shortest) throw new Error("a search without a list has nothing to intersect");
  let query = db.selectFrom(inList(db, shortest.list).as("listed")).select(["listed.created_at", "listed.thread_id"]);
  for (const { list } of others) query = query.where(isIn(db, list, "listed", extent));
  return query;
}

/** Returns a condition. A limit makes PostgreSQL check row by row until the page is full, instead of joining first. */
function isIn(db: Db, list: IndexList, of: "listed" | "threads", extent: Extent): Expression<SqlBool> {
  const entry = db
    .selectFrom(inList(db, list).as("entry"))
    .select("entry.thread_id")
    .where("entry.created_at", "=", sql.ref<string>(`${of}.created_at`))
    .where("entry.thread_id", "=", sql.ref<string>(`${of}.thread_id`));
  return sql`exists ${extent === "page" ? entry.limit(1).offset(0) : entry}`;
}

/** Counts a list, up to `most`. */
async function lengthOf(db: Db, list: IndexList, most?: number): Promise<number> {
  const listed = db.selectFrom(inList(db, list).as("listed")).select("listed.thread_id");
  return await countRows(db.selectFrom((most === undefined ? listed : listed.limit(most)).as("listed")));
}
