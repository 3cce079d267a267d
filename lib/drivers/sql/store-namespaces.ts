/** Lists the namespaces that have items, one page at a time. */
import { setImmediate as turn } from "node:timers/promises";
import type { ItemQuery } from "../../engine/ports/store.ts";
import { isItemVisible } from "../../rules/store/items.ts";
import type { Visibility } from "../../rules/visibility.ts";
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

async function* allNamespaces(db: Db, prefix: readonly string[], now: number): AsyncGenerator<string> {
  const names = below(live(db, now), prefix).select("namespace").distinct().orderBy("namespace").limit(MANY_ROWS);
  let page = await names.execute();
  for (;;) {
    yield* page.map(({ namespace }) => namespace);
    const last = page.at(-1);
    if (page.length < MANY_ROWS || !last) return;
    // Other requests are served between two pages.
    await turn();
    page = await names.where("namespace", ">", last.namespace).execute();
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
