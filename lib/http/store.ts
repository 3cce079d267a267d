import * as store from "../engine/store.ts";
import { Fault } from "../protocol/faults.ts";
import type { operations } from "../protocol/operations.ts";
import { ItemDelete, ItemPut, ItemSearch, NamespaceList } from "../protocol/store.ts";
import { isItemVisible } from "../rules/store/items.ts";
import type { Handler } from "./endpoint.ts";

const done = (): Response => new Response(null, { status: 204 });

/** `PUT /store/items` */
export const putItem: Handler<typeof operations.putItem> = async ({ platform, deployment, access, body }) => {
  const { value, visible } = await access.permit("store:put", { ...body });
  const item = ItemPut.parse(value);
  if (!isItemVisible(visible, item)) throw new Fault("forbidden", "Forbidden");
  await store.putItem(platform, deployment, item, visible);
  return done();
};

/** `GET /store/items`: `null` when there is no such item. */
export const getItem: Handler<typeof operations.getItem> = async ({ platform, deployment, access, query }) => {
  const { value, visible } = await access.permit("store:get", { namespace: query.namespace, key: query.key });
  const { namespace, key } = ItemDelete.parse(value);
  store.requireNamespace(namespace);
  const item = await store.getItem(platform, deployment, { namespace, key, refresh: query.refresh_ttl }, visible);
  return Response.json(item ?? null);
};

/** `DELETE /store/items`: the same answer whether there was one or not. */
export const deleteItem: Handler<typeof operations.deleteItem> = async ({ platform, deployment, access, body }) => {
  const { value, visible } = await access.permit("store:delete", { ...body });
  await store.deleteItem(platform, deployment, ItemDelete.parse(value), visible);
  return done();
};

/** `POST /store/items/search` */
export const searchItems: Handler<typeof operations.searchItems> = async ({ platform, deployment, access, body }) => {
  const { namespace_prefix, ...asked } = body;
  const { value, visible } = await access.permit("store:search", { ...asked, namespace: namespace_prefix });
  const { namespace, ...left } = value;
  const wanted = ItemSearch.parse({ ...left, namespace_prefix: namespace });
  const { namespace_prefix: prefix, refresh_ttl: refresh, ...rest } = wanted;
  requireLabels(prefix);
  return Response.json({ items: await store.searchItems(platform, deployment, { ...rest, prefix, refresh }, visible) });
};

/** `POST /store/namespaces` */
export const listNamespaces: Handler<typeof operations.listNamespaces> = async (call) => {
  const { platform, deployment, access } = call;
  const { prefix: asked, ...rest } = call.body;
  const { value, visible } = await access.permit("store:list_namespaces", { ...rest, namespace: asked });
  const { namespace, ...left } = value;
  const wanted = NamespaceList.parse({ ...left, prefix: namespace });
  const { prefix = [], suffix = [], max_depth: depth, limit, offset } = wanted;
  requireLabels(prefix);
  requireLabels(suffix);
  const match = [
    { at: "prefix" as const, path: prefix },
    { at: "suffix" as const, path: suffix },
  ];
  const listing = { match, depth, limit, offset };
  if (wanted.counts) return Response.json(await store.countNamespaces(platform, deployment, listing, visible));
  return Response.json({ namespaces: await store.listNamespaces(platform, deployment, listing, visible) });
};

/** Refuses empty labels. The prefix itself may be empty. Faults: `invalid`. */
function requireLabels(namespace: readonly string[]): void {
  if (namespace.length > 0) store.requireNamespace(namespace);
}
