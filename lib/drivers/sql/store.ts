import { setImmediate as turn } from "node:timers/promises";
import { type Kysely, type Selectable, sql } from "kysely";
import type { ItemAddress, ItemQuery, NewItem, StoredItem, StoreItems } from "../../engine/store-ports.ts";
import { isItemVisible, matchesFilter } from "../../rules/store.ts";
import type { Visibility } from "../../rules/visibility.ts";
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
  const get = async (at: Db, { namespace, key }: ItemAddress, now: number): Promise<StoredItem | undefined> => {
    const [row] = await statements.get(at, { namespace: namespace.join("."), key, now });
    return row && fromRow(row);
  };
  return {
    get: (address, now) => get(db, address, now),
    write: (puts, deletes, now, visible) =>
      commit(async (tx) => {
        const isHidden = async (address: ItemAddress): Promise<boolean> => {
          const there = visible && (await get(tx, address, now));
          return there !== undefined && !isItemVisible(visible, there);
        };
        for (const item of puts) if (await isHidden(item)) return "hidden";
        for (const item of puts) await put(tx, item, now);
        for (const address of deletes) {
          if (await isHidden(address)) continue;
          const [row] = await statements.delete(tx, { namespace: address.namespace.join("."), key: address.key });
          if (row) await statements.forgetVectors(tx, row);
        }
        return "written";
      }),
    search: (query, now) => search(db, query, now),
    nearest: (query, vector, now) => nearestItems(db, query, vector, now, fromRow),
    async namespaces(prefix, now, visible) {
      if (visible) return await visibleNamespaces(db, { prefix, conditions: [], visible }, now);
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
  const { conditions, visible, limit, offset } = query;
  if (conditions.length > 0 || visible) return (await filter(db, query, now)).slice(offset);
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
    const isWanted = (item: StoredItem): boolean =>
      matchesFilter(item.value, query.conditions) && isItemVisible(query.visible, item);
    found.push(...page.map(fromRow).filter(isWanted));
    const last = page.at(-1);
    if (found.length >= wanted || page.length < size || !last) return found.slice(0, wanted);
    // Others have their turn.
    await turn();
    page = await rows.where("item_id", ">", last.item_id).execute();
  }
}

/** Of each namespace items are looked at until one of them is visible. */
async function visibleNamespaces(
  db: Db,
  query: Pick<ItemQuery, "prefix" | "conditions"> & { visible: Visibility },
  now: number,
): Promise<string[][]> {
  const rows = candidates(db, query, now).selectAll().orderBy("namespace").orderBy("item_id").limit(MANY_ROWS);
  const found = new Set<string>();
  let page = await rows.execute();
  for (;;) {
    for (const row of page) if (isItemVisible(query.visible, fromRow(row))) found.add(row.namespace);
    const last = page.at(-1);
    if (page.length < MANY_ROWS || !last) return [...found].map((namespace) => namespace.split("."));
    // Others have their turn.
    await turn();
    const { namespace, item_id } = last;
    const after = rows.where((eb) => {
      const beyond = eb("namespace", ">", namespace);
      return found.has(namespace)
        ? beyond
        : eb.or([beyond, eb("namespace", "=", namespace).and("item_id", ">", item_id)]);
    });
    page = await after.execute();
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
