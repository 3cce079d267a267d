import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  deleteItem,
  listNamespaces,
  getItem,
  putItem,
  runStoreOperations,
  searchItems,
} from "../../lib/engine/store.ts";
import { Fault } from "../../lib/protocol/faults.ts";
import type { StoreOperationOf } from "../../lib/protocol/store.ts";
import { type StoreHost, storeHost } from "../support/store-host.ts";

const MINUTE = 60_000;
const open: StoreHost[] = [];
let embedded: { by: string; of: string; texts: readonly string[] }[] = [];
beforeEach(() => (embedded = []));
afterEach(async () => {
  for (const host of open.splice(0)) await host.close();
});

/** Embeds a text as its numbers of the letters a and b. */
const letters = (text: string): number[] => ["a", "b"].map((letter) => text.split(letter).length - 1);

async function start(config: object = {}) {
  const host = await storeHost(config, async (by, of, texts) => {
    embedded.push({ by, of, texts });
    if (texts.some((text) => text.includes("fail"))) throw new Fault("unavailable", "no model");
    return texts.map(letters);
  });
  open.push(host);
  const { platform, home, clock } = host;
  return {
    clock,
    put: (key: string, more: Partial<StoreOperationOf<"put">> = {}) =>
      putItem(platform, home, { namespace: ["n"], key, value: { key }, ...more }),
    get: (key: string, refresh?: boolean) => getItem(platform, home, { namespace: ["n"], key, refresh }),
    search: (more: Partial<StoreOperationOf<"search">> = {}) =>
      searchItems(platform, home, { prefix: ["n"], limit: 10, offset: 0, ...more }),
    remove: (key: string) => deleteItem(platform, home, { namespace: ["n"], key }),
    namespaces: () => listNamespaces(platform, home, { match: [], limit: 10, offset: 0 }),
    batch: (...operations: Parameters<typeof runStoreOperations>[2]) => runStoreOperations(platform, home, operations),
    sweep: () => home.items.sweep(clock.time),
  };
}

describe("an item that lives for some minutes", () => {
  test("is gone after them for every kind of read, and swept later", async () => {
    const store = await start();
    await store.put("k", { ttl: 2 });
    store.clock.time += 2 * MINUTE - 1;
    expect(await store.namespaces()).toEqual([["n"]]);
    store.clock.time += 1;
    expect(await store.get("k")).toBeUndefined();
    expect([await store.search(), await store.namespaces()]).toEqual([[], []]);
    expect([await store.sweep(), await store.sweep()]).toEqual([1, 0]);
  });

  test("lives on for its time after each read by name or by search", async () => {
    const store = await start();
    await store.put("k", { ttl: 2 });
    for (const read of [() => store.get("k"), () => store.search()]) {
      store.clock.time += 2 * MINUTE - 1;
      await read();
    }
    store.clock.time += 2 * MINUTE - 1;
    expect(await store.get("k")).toMatchObject({ key: "k" });
  });

  test("does not live on by a read without refresh, or by any read when the configuration says so", async () => {
    const store = await start();
    await store.put("k", { ttl: 2 });
    store.clock.time += MINUTE;
    expect(await store.get("k", false)).toBeDefined();
    expect(await store.search({ refresh: false })).toHaveLength(1);
    store.clock.time += MINUTE;
    expect(await store.get("k")).toBeUndefined();

    const strict = await start({ ttl: { refresh_on_read: false } });
    await strict.put("k", { ttl: 2 });
    await strict.put("asked", { ttl: 2 });
    strict.clock.time += MINUTE;
    await strict.get("k");
    await strict.get("asked", true);
    strict.clock.time += MINUTE;
    expect((await strict.search()).map(({ key }) => key)).toEqual(["asked"]);
  });

  test("is every item when the configuration has a default, except for those with null", async () => {
    const store = await start({ ttl: { default_ttl: 1 } });
    await store.put("short");
    await store.put("long", { ttl: 5 });
    await store.put("immortal", { ttl: null });
    store.clock.time += MINUTE;
    expect((await store.search({ refresh: false })).map(({ key }) => key)).toEqual(["long", "immortal"]);
    store.clock.time += 4 * MINUTE;
    expect((await store.search()).map(({ key }) => key)).toEqual(["immortal"]);
  });

  test("shows nothing of its lifetime", async () => {
    const store = await start();
    await store.put("k", { ttl: 2 });
    const shown = ["namespace", "key", "value", "created_at", "updated_at"];
    expect(Object.keys((await store.get("k")) ?? {}).toSorted()).toEqual(shown.toSorted());
    expect(Object.keys((await store.search())[0] ?? {}).toSorted()).toEqual(shown.toSorted());
  });
});

describe("a search by meaning", () => {
  const index = { dims: 2, embed: "./embed.ts:letters", fields: ["text", "more[*]"] };

  test("finds the nearest first, by the fields of the configuration", async () => {
    const store = await start({ index });
    await store.put("a", { value: { text: "aaa" } });
    await store.put("b", { value: { text: "b", more: ["bbb", "a"] } });
    await store.put("c", { value: { other: "a" } });
    const found = await store.search({ query: "aa" });
    expect(found.map(({ key, score }) => [key, score])).toEqual([
      ["a", 1],
      ["b", 1],
      ["c", null],
    ]);
    expect(embedded.at(-1)).toEqual({ by: "./embed.ts:letters", of: "query", texts: ["aa"] });
    expect(embedded).toHaveLength(3);
    expect((await store.search({ query: "b", limit: 1 })).map(({ key }) => key)).toEqual(["b"]);
    expect((await store.search({ query: "a", filter: { text: "b" } })).map(({ key }) => key)).toEqual(["b"]);
  });

  test("finds an item by the fields that its last put indexed", async () => {
    const store = await start({ index });
    await store.put("k", { value: { text: "a", title: "b" }, index: ["title"] });
    expect((await store.search({ query: "b" }))[0]?.score).toBe(1);
    await store.put("k", { value: { text: "a" }, index: false });
    expect((await store.search({ query: "a" }))[0]?.score).toBeNull();
    expect(embedded.filter(({ of }) => of === "items")).toHaveLength(1);
  });

  test("embeds each text of a batch once", async () => {
    const store = await start({ index });
    await store.batch(
      { do: "put", namespace: ["n"], key: "1", value: { text: "same" } },
      { do: "put", namespace: ["m"], key: "2", value: { text: "same", more: ["other"] } },
    );
    expect(embedded).toEqual([{ by: "./embed.ts:letters", of: "items", texts: ["same", "other"] }]);
  });

  test("stores nothing of a batch when a text cannot be embedded, or has not the dimensions of the configuration", async () => {
    const store = await start({ index });
    const put = (key: string, text: string) => ({ do: "put" as const, namespace: ["n"], key, value: { text } });
    await expect(store.batch(put("1", "a"), put("2", "fail"))).rejects.toMatchObject({ code: "unavailable" });
    expect(await store.search()).toEqual([]);
    const other = await start({ index: { ...index, dims: 3 } });
    await expect(other.put("k", { value: { text: "a" } })).rejects.toThrow(/gave vectors of 2 dimensions, not of 3/);
  });

  test("is an ordinary one when the configuration has no index", async () => {
    const store = await start();
    await store.put("k", { index: ["key"] });
    expect(await store.search({ query: "x" })).toMatchObject([{ key: "k" }]);
    expect(embedded).toEqual([]);
  });
});

describe("what is read for one answer", () => {
  const MB = 1024 * 1024;
  const tooLarge = { code: "too_large", message: expect.stringContaining("larger than 32 MB together") };

  test("is 32 MB at most, however it is requested", async () => {
    const store = await start();
    for (let n = 0; n < 7; n++) await store.put(`k${n}`, { value: { n, text: "x".repeat(5 * MB) } });
    const get = { do: "get" as const, namespace: ["n"], key: "k0" };
    expect(await store.batch(...Array.from({ length: 6 }, () => get))).toHaveLength(6);
    await expect(store.batch(...Array.from({ length: 7 }, () => get))).rejects.toMatchObject(tooLarge);
    expect((await store.search({ limit: 6 })).map(({ value }) => value.n)).toEqual([0, 1, 2, 3, 4, 5]);
    await expect(store.search({ limit: 7 })).rejects.toMatchObject(tooLarge);
    const filter = { n: { $gte: 0 } };
    expect((await store.search({ limit: 6, offset: 1, filter })).map(({ value }) => value.n)).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
    await expect(store.search({ limit: 7, filter })).rejects.toMatchObject(tooLarge);
    const search = { do: "search" as const, prefix: ["n"], limit: 3, offset: 0 };
    await expect(store.batch(search, search, get)).rejects.toMatchObject(tooLarge);
  });

  test("is bounded for all requests at the same time, and free again after", async () => {
    const store = await start();
    for (let n = 0; n < 6; n++) await store.put(`k${n}`, { value: { text: "x".repeat(5 * MB) } });
    const searches = await Promise.allSettled(Array.from({ length: 12 }, () => store.search({ limit: 6 })));
    const fine = searches.filter(({ status }) => status === "fulfilled").length;
    expect(fine).toBeGreaterThanOrEqual(4);
    expect(fine).toBeLessThan(12);
    expect(await store.search({ limit: 6 })).toHaveLength(6);
  });

  test("excludes values that would be much larger in memory", async () => {
    const store = await start();
    await store.put("k", { value: { list: Array.from({ length: 400_000 }, () => []) } });
    const get = { do: "get" as const, namespace: ["n"], key: "k" };
    expect(await store.batch(get, get)).toHaveLength(2);
    await expect(store.batch(get, get, get)).rejects.toMatchObject(tooLarge);
  });

  test("causes no write when it is too much", async () => {
    const store = await start();
    await store.put("k", { value: { text: "x".repeat(20 * MB) } });
    const get = { do: "get" as const, namespace: ["n"], key: "k" };
    await expect(store.batch({ ...get, do: "put", key: "new", value: {} }, get, get)).rejects.toMatchObject(tooLarge);
    expect(await store.get("new")).toBeUndefined();
  });
});
