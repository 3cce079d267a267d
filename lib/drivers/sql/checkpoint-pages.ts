import { setImmediate as turn } from "node:timers/promises";
import { type Kysely, sql, type SqlBool } from "kysely";
import type { CheckpointPage, CheckpointPlace, CheckpointQuery, StoredCheckpoint } from "../../protocol/checkpoints.ts";
import { isObject } from "../../protocol/json.ts";
import { fromRow, LARGEST, tooLarge, versionsOf } from "./checkpoint-rows.ts";
import type { checkpointValues } from "./checkpoint-values.ts";
import type { checkpointWrites } from "./checkpoint-writes.ts";
import { fromJson } from "./json-column.ts";
import type { CheckpointsTable, Tables } from "./tables.ts";

type Db = Kysely<Tables>;
type Row = CheckpointsTable;

/** What belongs to checkpoints. */
interface Belongings {
  values: ReturnType<typeof checkpointValues>;
  writes: ReturnType<typeof checkpointWrites>;
}

/** Checkpoints of one page, and rows that one page looks at when it filters. */
const PAGE = 20;
const LOOKED_AT = 200;
/** Rows that are read together, and a page of several checkpoints, have at most this many bytes. */
const AT_ONCE = 8 * 1024 * 1024;

export async function readPage(db: Db, belongings: Belongings, query: CheckpointQuery): Promise<CheckpointPage> {
  const limit = Math.min(query.limit ?? PAGE, PAGE);
  const looked = query.filter ? LOOKED_AT : limit;
  const rows = limit > 0 ? await search(db, query, looked).execute() : [];
  const matching = await findMatching(db, rows, query.filter ?? {}, limit);
  const hits = await fitting(db, belongings, matching.hits);
  const page = await fill(db, belongings, hits);
  const isCut = hits.length < matching.hits.length;
  const last = isCut || hits.length === limit ? hits.at(-1) : matching.last;
  if (last && (!isKey(last, rows.at(-1)) || rows.length === looked))
    page.next = { thread: last.thread_id, ns: last.ns, id: last.checkpoint_id };
  return page;
}

type Key = Pick<Row, "thread_id" | "ns" | "checkpoint_id">;

function isKey(one: Key, other: Key | undefined): boolean {
  return one.checkpoint_id === other?.checkpoint_id && one.thread_id === other.thread_id && one.ns === other.ns;
}

/** The rows whose metadata match, and the last one that was looked at; large ones are looked at a few at a time. */
async function findMatching(
  db: Db,
  keys: readonly (Key & { bytes: number | string })[],
  filter: object,
  limit: number,
): Promise<{ hits: Row[]; last: Key | undefined }> {
  const hits: Row[] = [];
  let kept = 0;
  let last: Key | undefined;
  for (let from = 0; from < keys.length && hits.length < limit;) {
    const group: Key[] = [];
    for (let bytes = 0; from < keys.length; from++) {
      const key = keys[from];
      if (!key || (group.length > 0 && bytes + Number(key.bytes) > AT_ONCE)) break;
      bytes += Number(key.bytes);
      group.push(key);
    }
    for (const row of await readRows(db, group)) {
      last = row;
      if (hits.length >= limit || !hasMembers(fromJson(row.metadata), filter)) continue;
      hits.push(row);
      kept += row.checkpoint.length + row.metadata.length;
    }
    last = hits.length < limit ? group.at(-1) : last;
    if (kept > AT_ONCE) break;
    // Others have their turn.
    if (from < keys.length) await turn();
  }
  return { hits, last };
}

/** Returns rows in the order of the keys. */
async function readRows(db: Db, keys: readonly Key[]): Promise<Row[]> {
  const wanted = sql.join(keys.map((key) => sql`(${key.thread_id}, ${key.ns}, ${key.checkpoint_id})`));
  const rows = await db
    .selectFrom("checkpoints")
    .selectAll()
    .where(sql<SqlBool>`(thread_id, ns, checkpoint_id) in (values ${wanted})`)
    .execute();
  return keys.flatMap((key) => rows.find((row) => isKey(row, key)) ?? []);
}

/** The first ones, as many as a page can hold with all that belongs to them: one at least. */
async function fitting(db: Db, belongings: Belongings, rows: readonly Row[]): Promise<readonly Row[]> {
  for (let some = rows; ; some = some.slice(0, Math.ceil(some.length / 2))) {
    const bytes = some.length === 0 ? 0 : await weigh(db, belongings, some);
    if (some.length <= 1 && bytes > LARGEST) throw tooLarge();
    if (some.length <= 1 || bytes <= AT_ONCE) return some;
  }
}

async function weigh(db: Db, { values, writes }: Belongings, rows: readonly Row[]): Promise<number> {
  let bytes = 0;
  for (const { place, ids, wanted } of placesOf(rows))
    bytes += (await writes.weigh(place, ids)) + (wanted.length === 0 ? 0 : await values.weigh(db, place, wanted));
  return bytes;
}

/** Groups the rows by thread and namespace, with the versions that each group needs. */
function placesOf(rows: readonly Row[]) {
  return [...Map.groupBy(rows, (row) => JSON.stringify([row.thread_id, row.ns])).values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const place: CheckpointPlace = { thread: first.thread_id, ns: first.ns };
    const wanted = new Map(group.flatMap(versionsOf).map((pair) => [JSON.stringify(pair), pair]));
    return [{ group, place, ids: group.map((row) => row.checkpoint_id), wanted: [...wanted.values()] }];
  });
}

/** With one question a place for writes, and one for values. */
async function fill(db: Db, { values, writes }: Belongings, rows: readonly Row[]): Promise<CheckpointPage> {
  const filled = new Map<Row, StoredCheckpoint>();
  const channels: CheckpointPage["channels"] = [];
  for (const { group, place, ids, wanted } of placesOf(rows)) {
    const written = await writes.ofMany(place, ids);
    for (const row of group) filled.set(row, { ...fromRow(row), writes: written.get(row.checkpoint_id) ?? [] });
    channels.push({ ...place, versions: await values.read(db, place, wanted) });
  }
  return { checkpoints: rows.flatMap((row) => filled.get(row) ?? []), channels };
}

const BYTES = sql<number | string>`octet_length(checkpoint) + octet_length(metadata)`.as("bytes");

function search(db: Db, { thread, ns, id, before, after }: CheckpointQuery, limit: number) {
  return db
    .selectFrom("checkpoints")
    .select(["thread_id", "ns", "checkpoint_id", BYTES])
    .$if(thread !== undefined, (query) => query.where("thread_id", "=", thread ?? ""))
    .$if(ns !== undefined, (query) => query.where("ns", "=", ns ?? ""))
    .$if(id !== undefined, (query) => query.where("checkpoint_id", "=", id ?? ""))
    .$if(before !== undefined, (query) => query.where("checkpoint_id", "<", before ?? ""))
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb.and([
          eb("checkpoint_id", "<=", after?.id ?? ""),
          eb.or([
            eb("checkpoint_id", "<", after?.id ?? ""),
            eb("thread_id", ">", after?.thread ?? ""),
            eb.and([eb("thread_id", "=", after?.thread ?? ""), eb("ns", ">", after?.ns ?? "")]),
          ]),
        ]),
      ),
    )
    .orderBy("checkpoint_id", "desc")
    .orderBy("thread_id")
    .orderBy("ns")
    .limit(limit);
}

/** Objects are compared member by member at any depth, everything else as a whole. */
function hasMembers(given: unknown, wanted: unknown): boolean {
  if (!isObject(wanted)) return JSON.stringify(given) === JSON.stringify(wanted);
  return isObject(given) && Object.entries(wanted).every(([key, value]) => hasMembers(given[key], value));
}
