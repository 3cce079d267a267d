import * as z from "zod";
import { Fault } from "../protocol/faults.ts";
import type { RequestOrigin } from "../protocol/host-requests.ts";
import { type Item, StoreOperation, type StoreOperationOf } from "../protocol/store.ts";
import { textsOf } from "../rules/store/item-texts.ts";
import {
  commonPrefix,
  conditionsOf,
  expiryOf,
  isItemVisible,
  type NamespaceList,
  namespaceList,
} from "../rules/store/items.ts";
import { hasLabels, refuseNamespace } from "../rules/store/namespace.ts";
import type { Visibility } from "../rules/visibility.ts";
import type { Deployment, Platform } from "./ports/ports.ts";
import { withReadBudget } from "./read-budget.ts";
import type { ItemAddress, NewItem, ReadBudget, StoredItem, StoreRequester } from "./ports/store.ts";

type StorePlatform = Pick<Platform, "clock" | "newId">;
/** The parts of the deployment that the store needs. */
export type StoreContext = Pick<Deployment, "config" | "items" | "worker">;
type PutOperation = StoreOperationOf<"put">;

/** The answer to an operation. */
export type StoreAnswer = Item | Item[] | string[][] | null;

/**
 * Stores an item, or replaces the one with the same key. Faults: `malformed` for an empty namespace, `invalid` for a
 * label that is not allowed, `unavailable` when its texts could not be embedded, `not_found` when the existing item is
 * not visible; then nothing is stored.
 */
export async function putItem(
  platform: StorePlatform,
  deployment: StoreContext,
  put: Omit<PutOperation, "do">,
  visible?: Visibility,
): Promise<void> {
  requireNamespace(put.namespace);
  await write(platform, deployment, [{ ...put, do: "put" }], { visible });
}

/** Deletes an item if it is visible. Faults: as `putItem`. */
export async function deleteItem(
  platform: StorePlatform,
  deployment: StoreContext,
  item: ItemAddress,
  visible?: Visibility,
): Promise<void> {
  requireNamespace(item.namespace);
  await deployment.items.write([], [item], platform.clock.now(), { visible });
}

/**
 * Returns an item; undefined when none is visible. A read extends its time to live, unless `refresh` or the
 * configuration says otherwise.
 */
export async function getItem(
  platform: StorePlatform,
  deployment: StoreContext,
  { refresh, ...address }: Omit<StoreOperationOf<"get">, "do">,
  visible?: Visibility,
  given?: ReadBudget,
): Promise<Item | undefined> {
  // A label with a period, which no item has, would be read as two labels.
  if (!hasLabels(address.namespace)) return undefined;
  const now = platform.clock.now();
  const item = await withReadBudget(deployment.items, given, (budget) => deployment.items.get(address, now, budget));
  if (!item || !isItemVisible(visible, item)) return undefined;
  await refreshItems(deployment, [item], refresh, now);
  return withoutTtl(item);
}

/**
 * Returns items below a prefix that match a filter. With a query, and `store.index` in the configuration, the nearest
 * come first, else those that were stored first. Faults: `unavailable` when the query could not be embedded,
 * `too_large` when the items exceed the limit of an answer.
 */
export async function searchItems(
  platform: StorePlatform,
  deployment: StoreContext,
  { prefix, filter, query, refresh, limit, offset }: Omit<StoreOperationOf<"search">, "do">,
  visible?: Visibility,
  given?: ReadBudget,
): Promise<Item[]> {
  if (!hasLabels(prefix) || limit === 0) return [];
  const wanted = { prefix, conditions: conditionsOf(filter ?? {}), visible, limit, offset };
  const [vector] = query && deployment.config?.store?.index ? await embed(deployment, "query", [query]) : [];
  const now = platform.clock.now();
  const items = await withReadBudget(deployment.items, given, (budget) =>
    vector ? deployment.items.nearest(wanted, vector, now, budget) : deployment.items.search(wanted, now, budget),
  );
  await refreshItems(deployment, items, refresh, now);
  return items.map(withoutTtl);
}

/** The highest number of namespaces of a listing, those before its page included. */
const MOST_LISTED = 500_000;

/** Lists the namespaces that hold visible items, in order. Faults: `too_large`. */
export async function listNamespaces(
  platform: StorePlatform,
  deployment: StoreContext,
  listing: Omit<StoreOperationOf<"namespaces">, "do">,
  visible?: Visibility,
): Promise<string[][]> {
  const prefix = commonPrefix(listing.match);
  if (!hasLabels(prefix)) return [];
  const list = namespaceList(listing);
  for await (const namespace of deployment.items.namespaces(prefix, platform.clock.now(), visible)) {
    list.add(namespace);
    requireFew(list);
  }
  return list.page();
}

/** Lists namespaces like `listNamespaces`, with the number of visible items in or below each. Faults: `too_large`. */
export async function countNamespaces(
  platform: StorePlatform,
  deployment: StoreContext,
  listing: Omit<StoreOperationOf<"namespaces">, "do">,
  visible?: Visibility,
): Promise<{ namespaces: string[][]; counts: number[] }> {
  const prefix = commonPrefix(listing.match);
  if (!hasLabels(prefix)) return { namespaces: [], counts: [] };
  const list = namespaceList(listing);
  const counted = deployment.items.countedNamespaces(prefix, platform.clock.now(), visible);
  for await (const { namespace, items } of counted) {
    list.add(namespace, items);
    requireFew(list);
  }
  return { namespaces: list.page(), counts: list.counts() };
}

function requireFew(list: NamespaceList): void {
  if (list.size() <= MOST_LISTED) return;
  throw new Fault("too_large", `There are more than ${MOST_LISTED} namespaces: ask for those of a longer prefix`);
}

/**
 * Executes several operations. Reads see nothing of the writes; of several writes to one item, the last one counts.
 * Faults: as the functions above, `too_large` when all reads together exceed the limit of an answer; then nothing is
 * written. `conflict` when `origin` is a run whose claim is lost.
 */
export async function runStoreOperations(
  platform: StorePlatform,
  deployment: StoreContext,
  operations: readonly StoreOperation[],
  origin?: RequestOrigin,
): Promise<StoreAnswer[]> {
  const writes = new Map<string, PutOperation | StoreOperationOf<"delete">>();
  for (const operation of operations) {
    if (operation.do === "put") requireNamespace(operation.namespace);
    if (operation.do !== "put" && operation.do !== "delete") continue;
    if (hasLabels(operation.namespace)) writes.set(JSON.stringify([operation.namespace, operation.key]), operation);
  }
  return await withReadBudget(deployment.items, undefined, async (budget) => {
    const answers: StoreAnswer[] = [];
    for (const operation of operations) answers.push(await read(platform, deployment, operation, budget));
    if (writes.size > 0) await write(platform, deployment, [...writes.values()], { origin });
    return answers;
  });
}

/** Executes the operations of a graph. Faults: `invalid` for an unknown operation; else as `runStoreOperations`. */
export async function answerStore(
  platform: StorePlatform,
  deployment: StoreContext,
  origin: RequestOrigin,
  operations: readonly unknown[],
): Promise<StoreAnswer[]> {
  const parsed = z.array(StoreOperation).safeParse(operations);
  if (parsed.success) return await runStoreOperations(platform, deployment, parsed.data, origin);
  const issue = parsed.error.issues[0];
  const place = issue?.path.slice(1).join(".");
  throw new Fault("invalid", `The store cannot do this: ${place ? `${place}: ` : ""}${issue?.message ?? "rejected"}`);
}

async function read(
  platform: StorePlatform,
  deployment: StoreContext,
  operation: StoreOperation,
  budget: ReadBudget,
): Promise<StoreAnswer> {
  switch (operation.do) {
    case "get":
      return (await getItem(platform, deployment, operation, undefined, budget)) ?? null;
    case "search":
      return await searchItems(platform, deployment, operation, undefined, budget);
    case "namespaces":
      return await listNamespaces(platform, deployment, operation);
    case "put":
    case "delete":
      return null;
  }
}

async function write(
  platform: StorePlatform,
  deployment: StoreContext,
  writes: readonly (PutOperation | StoreOperationOf<"delete">)[],
  requester: StoreRequester,
): Promise<void> {
  const puts = writes.filter((one) => one.do === "put");
  const vectors = await vectorsOf(deployment, puts);
  const now = platform.clock.now();
  const items = puts.map(({ namespace, key, value, ttl: given }, index): NewItem => {
    const ttl = given === undefined ? (deployment.config?.store?.ttl?.default_ttl ?? null) : given;
    const expires = expiryOf(ttl, now);
    return { id: platform.newId(), namespace, key, value, ttl, expires, vectors: vectors[index] ?? new Map() };
  });
  const deletes = writes.filter((one) => one.do === "delete");
  const outcome = await deployment.items.write(items, deletes, now, requester);
  if (outcome === "hidden") throw new Fault("not_found", "Item not found");
}

/** Returns the vectors of each item's texts, by path. Equal texts are embedded once. */
async function vectorsOf(
  deployment: StoreContext,
  puts: readonly PutOperation[],
): Promise<Map<string, Float32Array>[]> {
  const index = deployment.config?.store?.index;
  if (!index) return [];
  const texts = puts.map(({ value, index: paths }) => textsOf(value, paths === false ? [] : (paths ?? index.fields)));
  const distinct = [...new Set(texts.flatMap((byPath) => [...byPath.values()]))];
  const embedded = distinct.length > 0 ? await embed(deployment, "items", distinct) : [];
  const vectors = new Map(distinct.map((text, i) => [text, embedded[i]]));
  return texts.map((byPath) => {
    const found = [...byPath].map(([path, text]): [string, Float32Array | undefined] => [path, vectors.get(text)]);
    return new Map(found.flatMap(([path, vector]): [string, Float32Array][] => (vector ? [[path, vector]] : [])));
  });
}

/** Embeds texts. Faults: `unavailable`, with the reason. */
async function embed(
  deployment: StoreContext,
  of: "items" | "query",
  texts: readonly string[],
): Promise<Float32Array[]> {
  const index = deployment.config?.store?.index;
  if (!index) return [];
  const vectors = await deployment.worker.embed(index.embed, of, texts);
  const odd = vectors.find((vector) => vector.length !== index.dims);
  if (!odd && vectors.length === texts.length) return vectors.map((vector) => Float32Array.from(vector));
  const result = odd ? `vectors of ${odd.length} dimensions` : `${vectors.length} vectors for ${texts.length} texts`;
  throw new Fault(
    "unavailable",
    `The texts could not be embedded: "${index.embed}" gave ${result}, not of ${index.dims}`,
  );
}

async function refreshItems(
  deployment: StoreContext,
  items: readonly StoredItem[],
  requested: boolean | undefined,
  now: number,
): Promise<void> {
  if (!(requested ?? deployment.config?.store?.ttl?.refresh_on_read ?? true)) return;
  const refreshed = items.flatMap(({ namespace, key, ttl }) => {
    const expires = expiryOf(ttl, now);
    return expires === null ? [] : [{ namespace, key, expires }];
  });
  if (refreshed.length > 0) await deployment.items.refresh(refreshed, now);
}

/** Faults: `malformed` when the namespace is empty, `invalid` for a bad label, with the texts that clients match. */
export function requireNamespace(namespace: readonly string[]): void {
  const refusal = refuseNamespace(namespace);
  if (refusal) throw new Fault(refusal.because === "empty" ? "malformed" : "invalid", refusal.message);
}

function withoutTtl(stored: StoredItem): Item {
  const { ttl: _, ...item } = stored;
  return item;
}
