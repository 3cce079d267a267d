import type { Kysely, SelectQueryBuilder } from "kysely";
import type { ItemQuery } from "../../engine/ports/store.ts";
import { conditionsIn } from "../../rules/store/items.ts";
import { bound, type Param, prepared } from "./prepared.ts";
import { maybe } from "./store-filter.ts";
import type { StoreItemsTable, StoreVectorsTable, Tables } from "./tables.ts";

type Db = Kysely<Tables>;

const columns = [
  "item_id",
  "namespace",
  "key",
  "value",
  "ttl",
  "expires",
  "created_at",
  "updated_at",
] as const satisfies (keyof StoreItemsTable)[];
const vectorColumns = ["item_id", "path", "vector"] as const satisfies (keyof StoreVectorsTable)[];

export interface Place {
  namespace: string;
  key: string;
}

/** The statements that graphs use all the time, each compiled once. */
export function storeStatements(db: Db) {
  return {
    get: prepared((param: Param<Place & { now: number }>) =>
      live(db, param("now")).selectAll().where("namespace", "=", param("namespace")).where("key", "=", param("key")),
    ),
    /** Makes room for a new item where one has expired that was not swept yet. */
    bury: prepared<Place & { now: number }, { item_id: string }>((param) =>
      db
        .deleteFrom("store_items")
        .where("namespace", "=", param("namespace"))
        .where("key", "=", param("key"))
        .where("expires", "<=", param("now"))
        .returning("item_id"),
    ),
    put: prepared<StoreItemsTable, { item_id: string }>((param) =>
      db
        .insertInto("store_items")
        .values(bound(param, columns))
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
    forgetVectors: prepared<{ item_id: string }, unknown>((param) =>
      db.deleteFrom("store_vectors").where("item_id", "=", param("item_id")),
    ),
    addVector: prepared<StoreVectorsTable, unknown>((param) =>
      db.insertInto("store_vectors").values(bound(param, vectorColumns)),
    ),
    delete: prepared<Place, { item_id: string }>((param) =>
      db
        .deleteFrom("store_items")
        .where("namespace", "=", param("namespace"))
        .where("key", "=", param("key"))
        .returning("item_id"),
    ),
    refresh: prepared<Place & { now: number; expires: number }, unknown>((param) =>
      db
        .updateTable("store_items")
        .set({ expires: param("expires") })
        .where("namespace", "=", param("namespace"))
        .where("key", "=", param("key"))
        .where("expires", ">", param("now")),
    ),
  };
}

type ItemRows = SelectQueryBuilder<Tables, "store_items", object>;

/** Items that have not expired. */
export function live(db: Db, now: number): ItemRows {
  return db.selectFrom("store_items").where((eb) => eb.or([eb("expires", "is", null), eb("expires", ">", now)]));
}

/** Items whose namespace begins with these labels. `/` is the character after the period. */
export function below(rows: ItemRows, prefix: readonly string[]): ItemRows {
  if (prefix.length === 0) return rows;
  const namespace = prefix.join(".");
  return rows
    .where("namespace", ">=", namespace)
    .where("namespace", "<", `${namespace}/`)
    .where((eb) => eb.or([eb("namespace", "=", namespace), eb("namespace", ">=", `${namespace}.`)]));
}

/** The rows that a query may want: all that it wants, and few others. */
export function candidates(
  db: Db,
  { prefix, conditions, visible }: Pick<ItemQuery, "prefix" | "conditions" | "visible">,
  now: number,
): ItemRows {
  let rows = below(live(db, now), prefix);
  for (const condition of [...conditions, ...conditionsIn(visible)]) {
    const test = maybe(db, condition);
    if (test) rows = rows.where(test);
  }
  return rows;
}
