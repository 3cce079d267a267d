/** Lists the namespaces that have items, one page at a time. */
import { setImmediate as turn } from "node:timers/promises";
import { sql } from "kysely";
import type { CountedNamespace, ItemQuery } from "../../engine/ports/store.ts";
import { compareText, isItemVisible } from "../../rules/store/items.ts";
import type { Visibility } from "../../rules/visibility.ts";
import { comesAfter } from "./keyset.ts";
import { BYTES, fromRow, readRows } from "./store-rows.ts";
import { below, candidates, live } from "./store-statements.ts";
import type { Db } from "./tables.ts";

/** Rows read at a time. */
const MANY_ROWS = 500;

export async function* findNamespaces(
  db: Db,
  prefix: readonly string[],
  now: number,
  visible?: Visibility,
): AsyncGenerator<string[]> {
  const found = visible
    ? visibleNamespaces(db, { prefix, conditions: [], visible }, now)
    : allNamespaces(db, prefix, now);
  for await (const namespace of found) yield namespace.split(".");
}

/** Yields namespaces in the order of their text, with the number of their items. Rows are grouped as they come. */
export async function* countNamespaces(
  db: Db,
  prefix: readonly string[],
  now: number,
  visible?: Visibility,
): AsyncGenerator<CountedNamespace> {
  if (visible) {
    yield* countVisible(db, { prefix, conditions: [], visible }, now);
    return;
  }
  const counted = below(live(db, now), prefix)
    .select(["namespace", sql<number>`count(*)`.as("items")])
    .groupBy("namespace")
    .orderBy("namespace")
    .limit(MANY_ROWS);
  const rows = byNamespace((after) =>
    (after === undefined ? counted : counted.where("namespace", ">", after)).execute(),
  );
  for await (const { namespace, items } of rows) yield { namespace: namespace.split("."), items };
}

async function* countVisible(
  db: Db,
  query: Pick<ItemQuery, "prefix" | "conditions"> & { visible: Visibility },
  now: number,
): AsyncGenerator<CountedNamespace> {
  const all = candidates(db, query, now).select(["namespace", "item_id", BYTES]);
  const sizes = all.orderBy("namespace").orderBy("item_id").limit(MANY_ROWS);
  let page = await sizes.execute();
  const found = new Map<string, number>();
  for (;;) {
    // The rows of a page come in no order.
    for await (const row of readRows(db, page))
      if (isItemVisible(query.visible, fromRow(row))) found.set(row.namespace, (found.get(row.namespace) ?? 0) + 1);
    const last = page.at(-1);
    const isEnd = page.length < MANY_ROWS || !last;
    const counted = [...found].filter(([name]) => isEnd || name !== last.namespace);
    for (const [name, items] of counted.toSorted(([a], [b]) => compareText(a, b))) {
      found.delete(name);
      yield { namespace: name.split("."), items };
    }
    if (isEnd) return;
    // Other requests are served between two pages.
    await turn();
    page = await sizes.where(comesAfter(["namespace", "item_id"], [last.namespace, last.item_id], "asc")).execute();
  }
}

async function* allNamespaces(db: Db, prefix: readonly string[], now: number): AsyncGenerator<string> {
  const names = below(live(db, now), prefix).select("namespace").distinct().orderBy("namespace").limit(MANY_ROWS);
  const rows = byNamespace((after) => (after === undefined ? names : names.where("namespace", ">", after)).execute());
  for await (const { namespace } of rows) yield namespace;
}

/** Yields the rows of all pages of `MANY_ROWS`. `readPage` reads the rows after a namespace, in the order of namespaces. */
async function* byNamespace<Row extends { namespace: string }>(
  readPage: (after: string | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  let page = await readPage(undefined);
  for (;;) {
    yield* page;
    const last = page.at(-1);
    if (page.length < MANY_ROWS || !last) return;
    // Other requests are served between two pages.
    await turn();
    page = await readPage(last.namespace);
  }
}

/** Yields the namespaces that hold a visible item. Rows of a namespace are skipped once one of its items is visible. */
async function* visibleNamespaces(
  db: Db,
  query: Pick<ItemQuery, "prefix" | "conditions"> & { visible: Visibility },
  now: number,
): AsyncGenerator<string> {
  const all = candidates(db, query, now).select(["namespace", "item_id", BYTES]);
  const sizes = all.orderBy("namespace").orderBy("item_id").limit(MANY_ROWS);
  let page = await sizes.execute();
  for (;;) {
    const found = new Set<string>();
    for await (const row of readRows(db, page))
      if (isItemVisible(query.visible, fromRow(row))) found.add(row.namespace);
    yield* [...found].toSorted();
    const last = page.at(-1);
    if (page.length < MANY_ROWS || !last) return;
    // Other requests are served between two pages.
    await turn();
    const { namespace, item_id } = last;
    const after = sizes.where((eb) => {
      const beyond = eb("namespace", ">", namespace);
      return found.has(namespace)
        ? beyond
        : eb.or([beyond, eb("namespace", "=", namespace).and("item_id", ">", item_id)]);
    });
    page = await after.execute();
  }
}
