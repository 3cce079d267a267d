import { setImmediate as turn } from "node:timers/promises";
import { type Kysely, type Selectable, sql } from "kysely";
import type { ItemQuery, NewItem, StoredItem, StoreItems } from "../../engine/store-ports.ts";
import { matchesFilter } from "../../rules/store.ts";
import type { Commit } from "./group-commit.ts";
import { fromJson } from "./json-column.ts";
import { below, candidates, live, storeStatements } from "./store-statements.ts";
import { encodeVector, nearestItems } from "./store-vectors.ts";
import type { StoreItemsTable, Tables } from "./tables.ts";

type Db = Kysely<Tables>;

/** Rows read at a time for a filter, of which nearly all match. */
const FEW_ROWS = 50;
const MANY_ROWS = 500;

export function sqlStore(db: Db, commit: Commit<Tables>): StoreItems {
  const statements = storeStatements(db);
  return {
    async get({ namespace, key }, now) {
      const [row] = await statements.get(db, { namespace: namespace.join("."), key, now });
      return row && fromRow(row);
    },
    write: (puts, deletes, now) =>
      commit(async (tx) => {
        for (const item of puts) await put(tx, item, now);
        for (const { namespace, key } of deletes) {
          const [row] = await statements.delete(tx, { namespace: namespace.join("."), key });
          if (row) await statements.forgetVectors(tx, row);
        }
      }),
    search: (query, now) => search(db, query, now),
    nearest: (query, vector, now) => nearestItems(db, query, vector, now, fromRow),
    async namespaces(prefix, now) {
      const rows = await below(live(db, now), prefix).select("namespace").distinct().execute();
      return rows.map(({ namespace }) => namespace.split("."));
    },
    refresh: (items, now) =>
      commit(async (tx) => {
        for (const { namespace, key, expires } of items) {
          await statements.refresh(tx, { namespace: namespace.join("."), key, expires, now });
        }
      }),
    sweep: (now) => commit((tx) => sweep(tx, now)),
  };

  async function put(tx: Db, item: NewItem, now: number): Promise<void> {
    const place = { namespace: item.namespace.join("."), key: item.key };
    const at = new Date(now).toISOString();
    const [expired] = await statements.bury(tx, { ...place, now });
    if (expired) await statements.forgetVectors(tx, expired);
    const [row] = await statements.put(tx, {
      ...place,
      item_id: item.id,
      value: JSON.stringify(item.value),
      ttl: item.ttl,
      expires: item.expires,
      created_at: at,
      updated_at: at,
    });
    const item_id = row?.item_id ?? item.id;
    await statements.forgetVectors(tx, { item_id });
    for (const [path, vector] of item.vectors) {
      await statements.addVector(tx, { item_id, path, vector: encodeVector(vector) });
    }
  }
}

async function search(db: Db, query: ItemQuery, now: number): Promise<StoredItem[]> {
  const { conditions, limit, offset } = query;
  if (conditions.length > 0) return (await filter(db, query, now)).slice(offset);
  // The index alone tells which ones; only those are read.
  const page = candidates(db, query, now).select("item_id").orderBy("item_id").limit(limit).offset(offset);
  const rows = db.selectFrom("store_items").selectAll().where("item_id", "in", page).orderBy("item_id");
  return (await rows.execute()).map(fromRow);
}

/** The first items that match, as many as `offset` and `limit` together. */
async function filter(db: Db, query: ItemQuery, now: number): Promise<StoredItem[]> {
  const wanted = query.offset + query.limit;
  const size = Math.min(Math.max(wanted, FEW_ROWS), MANY_ROWS);
  // Told to sort by its index, a database would walk through all items rather than those below the prefix.
  const order = query.prefix.length === 0 ? sql.ref("item_id") : sql`item_id || ''`;
  const rows = candidates(db, query, now).selectAll().orderBy(order).limit(size);
  const found: StoredItem[] = [];
  let page = await rows.execute();
  for (;;) {
    found.push(...page.map(fromRow).filter(({ value }) => matchesFilter(value, query.conditions)));
    const last = page.at(-1);
    if (found.length >= wanted || page.length < size || !last) return found.slice(0, wanted);
    // Others have their turn.
    await turn();
    page = await rows.where("item_id", ">", last.item_id).execute();
  }
}

async function sweep(tx: Db, now: number): Promise<number> {
  const expired = tx.selectFrom("store_items").select("item_id").where("expires", "<=", now);
  await tx.deleteFrom("store_vectors").where("item_id", "in", expired).execute();
  const result = await tx.deleteFrom("store_items").where("expires", "<=", now).executeTakeFirst();
  return Number(result.numDeletedRows);
}

function fromRow(row: Selectable<StoreItemsTable>): StoredItem {
  const { key, created_at, updated_at, ttl } = row;
  return { namespace: row.namespace.split("."), key, value: fromJson(row.value), created_at, updated_at, ttl };
}
