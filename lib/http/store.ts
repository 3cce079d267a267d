import type { Permit } from "../engine/access.ts";
import { deleteItem, findNamespaces, getItem, putItem, requireNamespace, searchItems } from "../engine/store.ts";
import { Fault } from "../protocol/faults.ts";
import type { Body, operations } from "../protocol/operations.ts";
import { type Item, ItemDelete, ItemPut, ItemSearch, NamespaceList } from "../protocol/store.ts";
import { isVisible } from "../rules/visibility.ts";
import type { Call, Handler } from "./endpoint.ts";

const done = (): Response => new Response(null, { status: 204 });

/** `PUT /store/items` */
export const put: Handler<typeof operations.putItem> = async (call) => {
  const permit = await call.access.permit("store:put", { ...call.body });
  const item = ItemPut.parse(permit.value);
  if (permit.visible) {
    const there = await visibleItem(call, permit, item);
    if (there === "hidden") throw new Fault("not_found", "Item not found");
    if (!isShown(permit, item)) throw new Fault("forbidden", "Forbidden");
  }
  await putItem(call.platform, call.deployment, item);
  return done();
};

/** `GET /store/items`: `null` when there is no such item. */
export const get: Handler<typeof operations.getItem> = async ({ platform, deployment, access, query }) => {
  const permit = await access.permit("store:get", { namespace: query.namespace, key: query.key });
  const { namespace, key } = ItemDelete.parse(permit.value);
  requireNamespace(namespace);
  const item = await getItem(platform, deployment, { namespace, key, refresh: query.refresh_ttl });
  return Response.json(item && isShown(permit, item) ? item : null);
};

/** `DELETE /store/items`: the same answer whether there was one or not. */
export const remove: Handler<typeof operations.deleteItem> = async (call) => {
  const permit = await call.access.permit("store:delete", { ...call.body });
  const item = ItemDelete.parse(permit.value);
  if (permit.visible && (await visibleItem(call, permit, item)) === "hidden") return done();
  await deleteItem(call.platform, call.deployment, item);
  return done();
};

/** `POST /store/items/search` */
export const search: Handler<typeof operations.searchItems> = async (call) => {
  const { namespace_prefix, ...asked } = call.body;
  const permit = await call.access.permit("store:search", { ...asked, namespace: namespace_prefix });
  const { namespace, ...left } = permit.value;
  const body = ItemSearch.parse({ ...left, namespace_prefix: namespace });
  requireLabels(body.namespace_prefix);
  return Response.json({ items: await shownItems(call, permit, body) });
};

type StoreCall = Pick<Call<never>, "platform" | "deployment">;

/** What is hidden leaves no gap in a page. */
async function shownItems(
  { platform, deployment }: StoreCall,
  permit: Permit,
  body: Body<typeof operations.searchItems>,
): Promise<Item[]> {
  const { namespace_prefix: prefix, refresh_ttl: refresh, ...rest } = body;
  if (!permit.visible) return await searchItems(platform, deployment, { ...rest, prefix, refresh });
  const shown: Item[] = [];
  const step = 100;
  for (let offset = 0; shown.length < rest.offset + rest.limit; offset += step) {
    const page = await searchItems(platform, deployment, { ...rest, prefix, refresh: false, limit: step, offset });
    shown.push(...page.filter((item) => isShown(permit, item)));
    if (page.length < step) break;
  }
  return shown.slice(rest.offset, rest.offset + rest.limit);
}

/** `POST /store/namespaces` */
export const namespaces: Handler<typeof operations.listNamespaces> = async (call) => {
  const { platform, deployment } = call;
  const { prefix: namespace, ...asked } = call.body;
  const permit = await call.access.permit("store:list_namespaces", { ...asked, namespace });
  // A filter is about items: of a namespace nobody knows what it holds.
  if (permit.visible && permit.visible.length > 0) throw new Fault("forbidden", "Forbidden");
  const { namespace: left, ...value } = permit.value;
  const { prefix = [], suffix = [], max_depth: depth, limit, offset } = NamespaceList.parse({ ...value, prefix: left });
  requireLabels(prefix);
  requireLabels(suffix);
  const match = [
    { at: "prefix" as const, path: prefix },
    { at: "suffix" as const, path: suffix },
  ];
  return Response.json({ namespaces: await findNamespaces(platform, deployment, { match, depth, limit, offset }) });
};

/** A prefix may be empty, its labels not. */
function requireLabels(namespace: readonly string[]): void {
  if (namespace.length > 0) requireNamespace(namespace);
}

type Address = Pick<Item, "namespace" | "key">;

/** Filters on items look at members of their values, and at where they lie. */
function isShown({ visible }: Permit, { namespace, key, value }: Address & { value?: object | null }): boolean {
  return isVisible(visible, { ...value, namespace, key });
}

async function visibleItem(
  { platform, deployment }: StoreCall,
  permit: Permit,
  { namespace, key }: Address,
): Promise<"shown" | "hidden" | "none"> {
  const item = await getItem(platform, deployment, { namespace, key, refresh: false });
  if (!item) return "none";
  return isShown(permit, item) ? "shown" : "hidden";
}
