/** Reads rows of items in groups that fit into memory, however large the items are. */
import { setImmediate as turn } from "node:timers/promises";
import { type Selectable, sql } from "kysely";
import type { StoredItem } from "../../engine/ports/store.ts";
import { fromJson } from "./json-column.ts";
import type { Db, StoreItemsTable } from "./tables.ts";

export type ItemRow = Selectable<StoreItemsTable>;

/** The id and size of an item, which are read before the item itself. */
export interface ItemSize {
  item_id: string;
  bytes: number | string;
}

/** The most bytes of rows that are read together. */
const AT_ONCE = 4 * 1024 * 1024;
/** The most rows that are read together; bounds the parameters of a statement. */
const MANY_ROWS = 500;

/** The size of a value, which the database takes from the head of the row without reading the value. */
export const BYTES = sql<number | string>`octet_length(value)`.as("bytes");

/** Returns sizes in the order of the ids. */
export async function sizesOf(db: Db, ids: readonly string[]): Promise<ItemSize[]> {
  if (ids.length === 0) return [];
  const rows = db.selectFrom("store_items").select(["item_id", BYTES]).where("item_id", "in", ids);
  return await rows.orderBy("item_id").execute();
}

/** Yields rows in the order of `sizes`. */
export async function* readRows(db: Db, sizes: readonly ItemSize[]): AsyncGenerator<ItemRow> {
  let ids: string[] = [];
  let bytes = 0;
  for (const [index, one] of sizes.entries()) {
    ids.push(one.item_id);
    bytes += Number(one.bytes);
    const isLast = index === sizes.length - 1;
    if (!isLast && ids.length < MANY_ROWS && bytes + Number(sizes[index + 1]?.bytes) <= AT_ONCE) continue;
    const rows = db.selectFrom("store_items").selectAll().where("item_id", "in", ids).orderBy("item_id");
    yield* await rows.execute();
    // Other requests are served between two large groups.
    if (bytes > AT_ONCE / 8) await turn();
    ids = [];
    bytes = 0;
  }
}

export function fromRow(row: ItemRow): StoredItem {
  const { key, created_at, updated_at, ttl } = row;
  return { namespace: row.namespace.split("."), key, value: fromJson(row.value), created_at, updated_at, ttl };
}
