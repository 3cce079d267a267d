import type { SelectQueryBuilder } from "kysely";
import type { ItemQuery } from "../../engine/ports/store.ts";
import { conditionsIn } from "../../rules/store/items.ts";
import { prepared } from "./prepared.ts";
import { prefilter } from "./store-filter.ts";
import type { Db, StoreItemsTable, StoreVectorsTable, Tables } from "./tables.ts";

export interface ItemKey {
  namespace: string;
  key: string;
}

/** Compiles the statements that graphs execute often. */
export function storeStatements(db: Db) {
  return {
    get: prepared((input: ItemKey & { now: number }) =>
      live(db, input.now).selectAll().where("namespace", "=", input.namespace).where("key", "=", input.key),
    ),
    /** Deletes an expired item that was not swept yet, before a new one takes its key. */
    deleteExpired: prepared<ItemKey & { now: number }, { item_id: string }>((input) =>
      db
        .deleteFrom("store_items")
        .where("namespace", "=", input.namespace)
        .where("key", "=", input.key)
        .where("expires", "<=", input.now)
        .returning("item_id"),
    ),
    put: prepared<StoreItemsTable, { item_id: string }>((row) =>
      db
        .insertInto("store_items")
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(["namespace", "key"]).doUpdateSet((eb) => ({
            value: eb.ref("excluded.value"),
            ttl: eb.ref("excluded.ttl"),
            expires: eb.ref("excluded.expires"),
            updated_at: eb.ref("excluded.updated_at"),
          })),
        )
        .returning("item_id"),
    ),
    deleteVectors: prepared<{ item_id: string }, unknown>((input) =>
      db.deleteFrom("store_vectors").where("item_id", "=", input.item_id),
    ),
    addVector: prepared<StoreVectorsTable, unknown>((row) => db.insertInto("store_vectors").values(row)),
    delete: prepared<ItemKey, { item_id: string }>((input) =>
      db
        .deleteFrom("store_items")
        .where("namespace", "=", input.namespace)
        .where("key", "=", input.key)
        .returning("item_id"),
    ),
    refresh: prepared<ItemKey & { now: number; expires: number }, unknown>((input) =>
      db
        .updateTable("store_items")
        .set({ expires: input.expires })
        .where("namespace", "=", input.namespace)
        .where("key", "=", input.key)
        .where("expires", ">", input.now),
    ),
  };
}

type ItemRows = SelectQueryBuilder<Tables, "store_items", object>;

/** Selects the items that have not expired. */
export function live(db: Db, now: number): ItemRows {
  return db.selectFrom("store_items").where((eb) => eb.or([eb("expires", "is", null), eb("expires", ">", now)]));
}

/** Restricts rows to namespaces that begin with these labels. `/` is the character after the period. */
export function below(rows: ItemRows, prefix: readonly string[]): ItemRows {
  if (prefix.length === 0) return rows;
  const namespace = prefix.join(".");
  return rows
    .where("namespace", ">=", namespace)
    .where("namespace", "<", `${namespace}/`)
    .where((eb) => eb.or([eb("namespace", "=", namespace), eb("namespace", ">=", `${namespace}.`)]));
}

/** Selects all rows that match a query, and few others. */
export function candidates(
  db: Db,
  { prefix, conditions, visible }: Pick<ItemQuery, "prefix" | "conditions" | "visible">,
  now: number,
): ItemRows {
  let rows = below(live(db, now), prefix);
  for (const condition of [...conditions, ...conditionsIn(visible)]) {
    const test = prefilter(db, condition);
    if (test) rows = rows.where(test);
  }
  return rows;
}
