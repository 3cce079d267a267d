/**
 * Threads by what they are. Those with a label, and those with a status, are listed in an index in the order in which
 * they were made; what neither tells is asked of the threads themselves.
 */
import { type Expression, type Kysely, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { ThreadFilter, ThreadSearch, ThreadStatus } from "../../protocol/threads.ts";
import { OVERFULL, toWanted, type Wanted } from "../../rules/threads/labels.ts";
import type { Visibility } from "../../rules/visibility.ts";
import { fulfils, hasMembers } from "./dialect.ts";
import type { Tables, ThreadsTable } from "./tables.ts";
import { labelHash } from "./thread-labels.ts";

type Db = Kysely<Tables>;

/** So few threads are read and put in order; of more, all threads are asked in their order until the page is full. */
const FEW = 1_000;

/** A list of threads in an index. */
type List = { labels: Uint8Array[] } | { status: ThreadStatus };

/** What is looked for is in all of these lists, the shortest first, and is as the rest says. */
interface Lookup extends Omit<Wanted, "labels">, Pick<ThreadFilter, "ids" | "values"> {
  lists: { list: List; length: number }[];
}

/** Whether a query is over when it has found enough for a page. */
type Enough = "some" | "all";

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
  { metadata = {}, ids, status, values }: ThreadFilter,
  visible: Visibility = [],
): Promise<Lookup> {
  const { labels, ...rest } = toWanted(metadata, visible);
  const overfull = labelHash(OVERFULL);
  const isOverfull = labels.length > 0 && (await lengthOf(db, { labels: [overfull] }, 1)) > 0;
  const lists = labels.map((label): List => ({ labels: [labelHash(label), ...(isOverfull ? [overfull] : [])] }));
  if (status !== undefined) lists.push({ status });
  return {
    lists: await measured(db, lists),
    // An overfull thread is in the list of every label: whether it has the member is asked of the thread.
    ...(isOverfull ? { metadata, visible } : rest),
    ids,
    values,
  };
}

/** Shortest first; long ones are counted to their ends only when all are long. */
async function measured(db: Db, lists: readonly List[]): Promise<Lookup["lists"]> {
  const measure = (most?: number) =>
    Promise.all(lists.map(async (list) => ({ list, length: await lengthOf(db, list, most) })));
  const short = await measure(FEW + 1);
  const areLong = short.every(({ length }) => length > FEW);
  return (areLong ? await measure() : short).toSorted((a, b) => a.length - b.length);
}

async function page(db: Db, lookup: Lookup, { sort_by, sort_order, limit, offset }: ThreadSearch) {
  const [shortest] = lookup.lists;
  const inOrder = sort_by === "created_at";
  const isLed = shortest !== undefined && lookup.ids === undefined && (inOrder || shortest.length <= FEW);
  const order = isLed && inOrder ? "listed" : "threads";
  return await matching(db, lookup, isLed, "some")
    .selectAll("threads")
    .orderBy(sql.ref(`${order}.${sort_by}`), sort_order)
    .orderBy(sql.ref(`${order}.thread_id`), sort_order)
    .limit(limit)
    .offset(offset)
    .execute();
}

async function totalOf(db: Db, lookup: Lookup): Promise<number> {
  const { lists, ids, values, metadata, visible } = lookup;
  const [shortest, ...others] = lists;
  const tells = ids === undefined && values === undefined && isEmpty(metadata) && visible.length === 0;
  if (!shortest || !tells) return await count(matching(db, lookup, shortest !== undefined && ids === undefined, "all"));
  return others.length === 0 ? shortest.length : await count(db.selectFrom(inAll(db, lists, "all").as("listed")));
}

/** The threads that are looked for. When `isLed`, they are taken from the shortest list, `listed`. */
function matching(db: Db, { lists, ids, values, metadata, visible }: Lookup, isLed: boolean, enough: Enough) {
  let query = db.selectFrom("threads");
  if (isLed) {
    const listed = inAll(db, lists, enough).as("listed");
    // By `$if` the query keeps its type.
    query = query.$if(true, (threads) => threads.innerJoin(listed, "listed.thread_id", "threads.thread_id"));
  } else {
    for (const { list } of lists) query = query.where(isIn(db, list, "threads", enough));
  }
  if (ids !== undefined) query = query.where("threads.thread_id", "in", ids.length > 0 ? ids : [""]);
  if (values !== undefined) query = query.where(hasMembers(db, "values", values));
  if (!isEmpty(metadata)) query = query.where(hasMembers(db, "metadata", metadata));
  if (visible.length > 0) query = query.where(fulfils(db, "metadata", visible));
  return query;
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

function inList(db: Db, list: List) {
  const columns = ["created_at", "thread_id"] as const;
  if ("status" in list) return db.selectFrom("threads").select(columns).where("status", "=", list.status);
  return db.selectFrom("thread_labels").select(columns).where("label", "in", list.labels);
}

/** What is in the first list and in all others. */
function inAll(db: Db, [shortest, ...others]: Lookup["lists"], enough: Enough) {
  if (!shortest) throw new Error("in no list");
  let query = db.selectFrom(inList(db, shortest.list).as("listed")).select(["listed.created_at", "listed.thread_id"]);
  for (const { list } of others) query = query.where(isIn(db, list, "listed", enough));
  return query;
}

/** With a limit PostgreSQL looks row by row, and stops with the page, rather than join everything first. */
function isIn(db: Db, list: List, of: "listed" | "threads", enough: Enough): Expression<SqlBool> {
  const place = db
    .selectFrom(inList(db, list).as("place"))
    .select("place.thread_id")
    .where("place.created_at", "=", sql.ref<string>(`${of}.created_at`))
    .where("place.thread_id", "=", sql.ref<string>(`${of}.thread_id`));
  return sql`exists ${enough === "some" ? place.limit(1).offset(0) : place}`;
}

/** Counts no further than to `most`. */
async function lengthOf(db: Db, list: List, most?: number): Promise<number> {
  const listed = db.selectFrom(inList(db, list).as("listed")).select("listed.thread_id");
  return await count(db.selectFrom((most === undefined ? listed : listed.limit(most)).as("listed")));
}

async function count<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const counted = query.select(sql`count(*)`.as("n")).$castTo<{ n: number }>();
  return (await counted.executeTakeFirstOrThrow()).n;
}
