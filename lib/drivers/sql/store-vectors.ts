/** Searches items by the similarity of their vectors. The database stores the vectors; the scores are computed here. */
import { setImmediate as turn } from "node:timers/promises";
import type { ItemQuery, ReadBudget, StoredItem } from "../../engine/ports/store.ts";
import { nearness, rank, type Ranked, unit } from "../../rules/store/nearness.ts";
import { isItemVisible, matchesFilter } from "../../rules/store/items.ts";
import { fromRow, readRows, sizesOf } from "./store-rows.ts";
import { candidates } from "./store-statements.ts";
import type { Db } from "./tables.ts";

/** The most items that one query scores, the newest first: each costs a read of its vectors. */
const CANDIDATES = 10_000;
/** The most items whose vectors are in memory at a time. */
const ROWS = 100;

/** Encodes the unit vector as 4 bytes per number, in this machine's byte order. */
export function encodeVector(vector: Float32Array): Uint8Array {
  const { buffer, byteOffset, byteLength } = unit(vector);
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Inverts `encodeVector`. Copies bytes that are not aligned to 4, as `Float32Array` requires. */
function decodeVector(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  return new Float32Array(buffer, byteOffset, Math.floor(byteLength / 4));
}

export async function nearestItems(
  db: Db,
  query: ItemQuery,
  vector: Float32Array,
  now: number,
  budget?: ReadBudget,
): Promise<StoredItem[]> {
  const { limit, offset } = query;
  const best = rank(await scores(db, { ...query, vector: unit(vector) }, now)).slice(offset, offset + limit);
  const ids = best.map(({ id }) => id);
  const items = new Map<string, StoredItem>();
  for await (const row of readRows(db, await sizesOf(db, ids))) {
    budget?.take(row.value);
    items.set(row.item_id, fromRow(row));
  }
  return best.flatMap(({ id, score }: Ranked) => {
    const item = items.get(id);
    return item ? [{ ...item, score }] : [];
  });
}

async function scores(
  db: Db,
  { vector, ...query }: ItemQuery & { vector: Float32Array },
  now: number,
): Promise<Map<string, number | null>> {
  const newest = candidates(db, query, now).select("item_id").orderBy("item_id", "desc").limit(CANDIDATES);
  const ids = (await newest.execute()).map(({ item_id }) => item_id);
  const found = new Map<string, number | null>();
  for (let from = 0; from < ids.length; from += ROWS) {
    const some = await matching(db, ids.slice(from, from + ROWS), query);
    for (const [id, score] of await scoresOf(db, some, vector)) found.set(id, score);
    // Other requests are served between two groups.
    await turn();
  }
  return found;
}

async function matching(
  db: Db,
  ids: readonly string[],
  { conditions, visible }: ItemQuery,
): Promise<readonly string[]> {
  if (conditions.length === 0 && !visible) return ids;
  const wanted: string[] = [];
  for await (const row of readRows(db, await sizesOf(db, ids))) {
    const item = fromRow(row);
    if (matchesFilter(item.value, conditions) && isItemVisible(visible, item)) wanted.push(row.item_id);
  }
  return wanted;
}

/** Scores each item by its nearest vector. Vectors with other dimensions are from another configuration. */
async function scoresOf(db: Db, ids: readonly string[], vector: Float32Array): Promise<Map<string, number | null>> {
  const scored = new Map<string, number | null>(ids.map((id) => [id, null]));
  if (ids.length === 0) return scored;
  const rows = await db.selectFrom("store_vectors").select(["item_id", "vector"]).where("item_id", "in", ids).execute();
  for (const row of rows) {
    const other = decodeVector(row.vector);
    if (other.length !== vector.length) continue;
    scored.set(row.item_id, Math.max(scored.get(row.item_id) ?? -1, nearness(vector, other)));
  }
  return scored;
}
