/** Rows of items, so few at a time that they fit into the memory however large they are. */
import { setImmediate as turn } from "node:timers/promises";
import { type Kysely, type Selectable, sql } from "kysely";
import type { StoredItem } from "../../engine/ports/store.ts";
import { fromJson } from "./json-column.ts";
import type { StoreItemsTable, Tables } from "./tables.ts";

export type ItemRow = Selectable<StoreItemsTable>;

/** An item's id and size, which are read before the item itself. */
export interface Sized {
  item_id: string;
  bytes: number | string;
}

/** Rows that are read together have at most this many bytes. */
const AT_ONCE = 4 * 1024 * 1024;
/** Bounds the parameters of a statement. */
const MANY_ROWS = 500;

/** The head of a row tells its size: the database does not read the value. */
export const BYTES = sql<number | string>`octet_length(value)`.as("bytes");

/** Returns sizes in the order of the ids. */
export async function sizesOf(db: Kysely<Tables>, ids: readonly string[]): Promise<Sized[]> {
  if (ids.length === 0) return [];
  const rows = db.selectFrom("store_items").select(["item_id", BYTES]).where("item_id", "in", ids);
  return await rows.orderBy("item_id").execute();
}

/** Yields rows in the order of `sizes`. */
export async function* readRows(db: Kysely<Tables>, sizes: readonly Sized[]): AsyncGenerator<ItemRow> {
  let ids: string[] = [];
  let bytes = 0;
  for (const [index, one] of sizes.entries()) {
    ids.push(one.item_id);
    bytes += Number(one.bytes);
    const isLast = index === sizes.length - 1;
    if (!isLast && ids.length < MANY_ROWS && bytes + Number(sizes[index + 1]?.bytes) <= AT_ONCE) continue;
    const rows = db.selectFrom("store_items").selectAll().where("item_id", "in", ids).orderBy("item_id");
    yield* await rows.execute();
    // Others have their turn.
    if (bytes > AT_ONCE / 8) await turn();
    ids = [];
    bytes = 0;
  }
}

export function fromRow(row: ItemRow): StoredItem {
  const { key, created_at, updated_at, ttl } = row;
  return { namespace: row.namespace.split("."), key, value: fromJson(row.value), created_at, updated_at, ttl };
}
