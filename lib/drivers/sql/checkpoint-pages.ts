import type { Kysely } from "kysely";
import type { CheckpointPage, CheckpointPlace, CheckpointQuery, StoredCheckpoint } from "../../protocol/checkpoints.ts";
import { isObject } from "../../protocol/json.ts";
import { fromRow, versionsOf } from "./checkpoint-rows.ts";
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

export async function readPage(db: Db, belongings: Belongings, query: CheckpointQuery): Promise<CheckpointPage> {
  const limit = Math.min(query.limit ?? PAGE, PAGE);
  const looked = query.filter ? LOOKED_AT : limit;
  const rows = limit > 0 ? await search(db, query, looked).execute() : [];
  const hits = rows.filter((row) => hasMembers(fromJson(row.metadata), query.filter ?? {})).slice(0, limit);
  const page = await fill(db, belongings, hits);
  const last = hits.length === limit ? hits.at(-1) : rows.at(-1);
  if (last && (last !== rows.at(-1) || rows.length === looked))
    page.next = { thread: last.thread_id, ns: last.ns, id: last.checkpoint_id };
  return page;
}

/** With one question a place for writes, and one for values. */
async function fill(db: Db, { values, writes }: Belongings, rows: readonly Row[]): Promise<CheckpointPage> {
  const filled = new Map<Row, StoredCheckpoint>();
  const channels: CheckpointPage["channels"] = [];
  for (const group of Map.groupBy(rows, (row) => JSON.stringify([row.thread_id, row.ns])).values()) {
    const [first] = group;
    if (!first) continue;
    const place: CheckpointPlace = { thread: first.thread_id, ns: first.ns };
    const ids = group.map((row) => row.checkpoint_id);
    const written = await writes.ofMany(place, ids);
    for (const row of group) filled.set(row, { ...fromRow(row), writes: written.get(row.checkpoint_id) ?? [] });
    const wanted = new Map(group.flatMap(versionsOf).map((pair) => [JSON.stringify(pair), pair]));
    channels.push({ ...place, versions: await values.read(db, place, [...wanted.values()]) });
  }
  return { checkpoints: rows.flatMap((row) => filled.get(row) ?? []), channels };
}

function search(db: Db, { thread, ns, id, before, after }: CheckpointQuery, limit: number) {
  return db
    .selectFrom("checkpoints")
    .selectAll()
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
