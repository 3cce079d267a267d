import { isoTime } from "../../protocol/iso-time.ts";
import { setImmediate as turn } from "node:timers/promises";
import { sql } from "kysely";
import type { ItemAddress, ItemQuery, NewItem, ReadBudget, StoredItem, StoreItems } from "../../engine/ports/store.ts";
import { isItemVisible, matchesFilter } from "../../rules/store/items.ts";
import { HOST } from "../../protocol/host-requests.ts";
import { lockName } from "./dialect.ts";
import type { GroupCommit } from "./group-commit.ts";
import { fencedCommit } from "./run-tokens.ts";
import { countNamespaces, findNamespaces } from "./store-namespaces.ts";
import { BYTES, fromRow, readRows } from "./store-rows.ts";
import { candidates, storeStatements } from "./store-statements.ts";
import { encodeVector, nearestItems } from "./store-vectors.ts";
import type { Db, Tables } from "./tables.ts";

/** Rows read at a time for a filter, after which nearly all rows match. */
const FEW_ROWS = 50;
const MANY_ROWS = 500;
/** The most items that one statement finds. More are found by several statements, with other requests in between. */
const MOST_AT_ONCE = 10_000;

export function sqlStore(db: Db, commit: GroupCommit<Tables>): StoreItems {
  const statements = storeStatements(db);
  const fenced = fencedCommit(db, commit);
  const get = async (at: Db, { namespace, key }: ItemAddress, now: number, budget?: ReadBudget) => {
    const [row] = await statements.get(at, { namespace: namespace.join("."), key, now });
    if (row) budget?.take(row.value);
    return row && fromRow(row);
  };
  return {
    get: (address, now, budget) => get(db, address, now, budget),
    write: (puts, deletes, now, { origin = HOST, visible } = {}) =>
      fenced(origin, async (tx) => {
        const isHidden = async (address: ItemAddress): Promise<boolean> => {
          if (!visible) return false;
          // Nobody else who sees only some items stores this one meanwhile, also if there is none yet.
          await lockName(tx, `item ${JSON.stringify([address.namespace, address.key])}`);
          const there = await get(tx, address, now);
          return there !== undefined && !isItemVisible(visible, there);
        };
        for (const item of puts) if (await isHidden(item)) return "hidden";
        for (const item of puts) await put(tx, item, now);
        for (const address of deletes) {
          if (await isHidden(address)) continue;
          const [row] = await statements.delete(tx, { namespace: address.namespace.join("."), key: address.key });
          if (row) await statements.deleteVectors(tx, row);
        }
        return "written";
      }),
    search: (query, now, budget) => search(db, query, now, budget),
    nearest: (query, vector, now, budget) => nearestItems(db, query, vector, now, budget),
    namespaces: (prefix, now, visible) => findNamespaces(db, prefix, now, visible),
    countedNamespaces: (prefix, now, visible) => countNamespaces(db, prefix, now, visible),
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
    const at = isoTime(now);
    const [expired] = await statements.deleteExpired(tx, { ...place, now });
    if (expired) await statements.deleteVectors(tx, expired);
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
    await statements.deleteVectors(tx, { item_id });
    for (const [path, vector] of item.vectors) {
      await statements.addVector(tx, { item_id, path, vector: encodeVector(vector) });
    }
  }
}

async function search(db: Db, query: ItemQuery, now: number, budget?: ReadBudget): Promise<StoredItem[]> {
  const { conditions, visible, limit, offset } = query;
  if (conditions.length > 0 || visible || limit > MOST_AT_ONCE) return await filter(db, query, now, budget);
  // The index alone selects the page, so only its rows are read.
  const page = candidates(db, query, now).select("item_id").orderBy("item_id").limit(limit).offset(offset);
  const sizes = db.selectFrom("store_items").select(["item_id", BYTES]).where("item_id", "in", page).orderBy("item_id");
  const found: StoredItem[] = [];
  for await (const row of readRows(db, await sizes.execute())) {
    budget?.take(row.value);
    found.push(fromRow(row));
  }
  return found;
}

/** Returns at most `limit` matching items, after the first `offset` of them. */
async function filter(db: Db, query: ItemQuery, now: number, budget?: ReadBudget): Promise<StoredItem[]> {
  const { offset, limit, conditions, visible } = query;
  const wanted = offset + limit;
  const size = Math.min(Math.max(wanted, FEW_ROWS), MANY_ROWS);
  // Sorted by the indexed column itself, the database would scan all items instead of those below the prefix.
  const order = query.prefix.length === 0 ? sql.ref("item_id") : sql`item_id || ''`;
  const sizes = candidates(db, query, now).select(["item_id", BYTES]).orderBy(order).limit(size);
  const found: StoredItem[] = [];
  let matched = 0;
  let page = await sizes.execute();
  for (;;) {
    for await (const row of readRows(db, page)) {
      const item = fromRow(row);
      if (!matchesFilter(item.value, conditions) || !isItemVisible(visible, item)) continue;
      if (++matched <= offset) continue;
      budget?.take(row.value);
      found.push(item);
      if (matched >= wanted) return found;
    }
    const last = page.at(-1);
    if (page.length < size || !last) return found;
    // Other requests are served between two pages.
    await turn();
    page = await sizes.where("item_id", ">", last.item_id).execute();
  }
}

async function sweep(tx: Db, now: number): Promise<number> {
  const expired = tx.selectFrom("store_items").select("item_id").where("expires", "<=", now);
  await tx.deleteFrom("store_vectors").where("item_id", "in", expired).execute();
  const result = await tx.deleteFrom("store_items").where("expires", "<=", now).executeTakeFirst();
  return Number(result.numDeletedRows);
}
