import { setImmediate as turn } from "node:timers/promises";
import { sql, type SqlBool } from "kysely";
import type {
  CheckpointOutline,
  CheckpointPage,
  CheckpointScope,
  CheckpointQuery,
  StoredCheckpoint,
} from "../../protocol/checkpoints.ts";
import { isObject } from "../../protocol/json.ts";
import { fromRow, LARGEST, tooLarge, versionsOf } from "./checkpoint-rows.ts";
import type { checkpointValues } from "./checkpoint-values.ts";
import type { checkpointWrites } from "./checkpoint-writes.ts";
import { fromJson } from "./json-column.ts";
import type { CheckpointsTable, Db } from "./tables.ts";

/** The statements that read the values and writes of checkpoints. */
interface CheckpointParts {
  values: ReturnType<typeof checkpointValues>;
  writes: ReturnType<typeof checkpointWrites>;
}

/** The most checkpoints of one page. */
const PAGE = 20;
/** The most rows that one page examines when it filters. */
const MOST_EXAMINED = 200;
/** The most bytes of rows that are read together, and of a page with several checkpoints. */
const AT_ONCE = 8 * 1024 * 1024;

export async function readPage(db: Db, parts: CheckpointParts, query: CheckpointQuery): Promise<CheckpointPage> {
  const limit = Math.min(query.limit ?? PAGE, PAGE);
  const examined = query.filter ? MOST_EXAMINED : limit;
  const rows = limit > 0 ? await search(db, query, examined).execute() : [];
  const matching = await findMatching(db, rows, query.filter ?? {}, limit);
  const hits = await fitting(db, parts, matching.hits);
  const page = await fill(db, parts, hits);
  const isCut = hits.length < matching.hits.length;
  const last = isCut || hits.length === limit ? hits.at(-1) : matching.last;
  if (last && (!isKey(last, rows.at(-1)) || rows.length === examined))
    page.next = { thread: last.thread_id, ns: last.ns, id: last.checkpoint_id };
  return page;
}

export async function readOutline(
  db: Db,
  { thread, ns }: CheckpointScope,
  { limit, before }: { limit: number; before?: string },
): Promise<CheckpointOutline[]> {
  const rows = await db
    .selectFrom("checkpoints")
    .select(["checkpoint_id", "parent_id", "metadata"])
    .where("thread_id", "=", thread)
    .where("ns", "=", ns)
    .$if(before !== undefined, (query) => query.where("checkpoint_id", "<", before ?? ""))
    .orderBy("checkpoint_id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ checkpoint_id: id, parent_id, metadata }) => ({
    id,
    ...(parent_id !== null && { parent: parent_id }),
    metadata,
  }));
}

type CheckpointKey = Pick<CheckpointsTable, "thread_id" | "ns" | "checkpoint_id">;

function isKey(one: CheckpointKey, other: CheckpointKey | undefined): boolean {
  return one.checkpoint_id === other?.checkpoint_id && one.thread_id === other.thread_id && one.ns === other.ns;
}

/** Returns the rows whose metadata match and the last row examined. Large rows are read a few at a time. */
async function findMatching(
  db: Db,
  keys: readonly (CheckpointKey & { bytes: number | string })[],
  filter: object,
  limit: number,
): Promise<{ hits: CheckpointsTable[]; last: CheckpointKey | undefined }> {
  const hits: CheckpointsTable[] = [];
  let kept = 0;
  let last: CheckpointKey | undefined;
  for (let from = 0; from < keys.length && hits.length < limit;) {
    const group: CheckpointKey[] = [];
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
    // Other requests are served between two groups.
    if (from < keys.length) await turn();
  }
  return { hits, last };
}

/** Returns rows in the order of the keys. */
async function readRows(db: Db, keys: readonly CheckpointKey[]): Promise<CheckpointsTable[]> {
  const wanted = sql.join(keys.map((key) => sql`(${key.thread_id}, ${key.ns}, ${key.checkpoint_id})`));
  const rows = await db
    .selectFrom("checkpoints")
    .selectAll()
    .where(sql<SqlBool>`(thread_id, ns, checkpoint_id) in (values ${wanted})`)
    .execute();
  return keys.flatMap((key) => rows.find((row) => isKey(row, key)) ?? []);
}

/** Returns the first rows that fit into a page with their values and writes, at least one. */
async function fitting(
  db: Db,
  parts: CheckpointParts,
  rows: readonly CheckpointsTable[],
): Promise<readonly CheckpointsTable[]> {
  for (let some = rows; ; some = some.slice(0, Math.ceil(some.length / 2))) {
    const bytes = some.length === 0 ? 0 : await measure(db, parts, some);
    if (some.length <= 1 && bytes > LARGEST) throw tooLarge();
    if (some.length <= 1 || bytes <= AT_ONCE) return some;
  }
}

async function measure(
  db: Db,
  { values, writes }: CheckpointParts,
  rows: readonly CheckpointsTable[],
): Promise<number> {
  let bytes = 0;
  for (const { scope, ids, wanted } of groupByScope(rows))
    bytes += (await writes.measure(scope, ids)) + (wanted.length === 0 ? 0 : await values.measure(db, scope, wanted));
  return bytes;
}

/** Groups the rows by thread and namespace, with the versions that each group needs. */
function groupByScope(rows: readonly CheckpointsTable[]) {
  return [...Map.groupBy(rows, (row) => JSON.stringify([row.thread_id, row.ns])).values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const scope: CheckpointScope = { thread: first.thread_id, ns: first.ns };
    const wanted = new Map(group.flatMap(versionsOf).map((pair) => [JSON.stringify(pair), pair]));
    return [{ group, scope, ids: group.map((row) => row.checkpoint_id), wanted: [...wanted.values()] }];
  });
}

/** Reads values and writes, with one query each per thread and namespace. */
async function fill(
  db: Db,
  { values, writes }: CheckpointParts,
  rows: readonly CheckpointsTable[],
): Promise<CheckpointPage> {
  const filled = new Map<CheckpointsTable, StoredCheckpoint>();
  const channels: CheckpointPage["channels"] = [];
  for (const { group, scope, ids, wanted } of groupByScope(rows)) {
    const written = await writes.ofMany(scope, ids);
    for (const row of group) filled.set(row, { ...fromRow(row), writes: written.get(row.checkpoint_id) ?? [] });
    channels.push({ ...scope, versions: await values.read(db, scope, wanted) });
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

/** Returns whether `given` has all members of `wanted`, compared at any depth. Other values are compared as a whole. */
function hasMembers(given: unknown, wanted: unknown): boolean {
  if (!isObject(wanted)) return JSON.stringify(given) === JSON.stringify(wanted);
  return isObject(given) && Object.entries(wanted).every(([key, value]) => hasMembers(given[key], value));
}
