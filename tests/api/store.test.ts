import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

/** Node sends no content length with a DELETE, and a body without one would start another request. */
const send = (method: string, path: string, content: unknown) => {
  const body = JSON.stringify(content);
  return raw(`${server.url}${path}`, { method, body, headers: { "content-length": String(Buffer.byteLength(body)) } });
};

describe("the official client's store", () => {
  test("puts, gets, replaces and deletes an item", async () => {
    const { store } = client;
    await store.putItem(["users", "ann"], "prefs", { theme: "dark", n: 1 });
    const first = await store.getItem(["users", "ann"], "prefs");
    expect(first).toEqual({
      namespace: ["users", "ann"],
      key: "prefs",
      value: { theme: "dark", n: 1 },
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: first?.createdAt,
      createdAt: expect.any(String),
      updatedAt: first?.createdAt,
    });
    await store.putItem(["users", "ann"], "prefs", { theme: "light" });
    const second = await store.getItem(["users", "ann"], "prefs");
    expect(second).toMatchObject({ value: { theme: "light" }, createdAt: first?.createdAt });
    await store.deleteItem(["users", "ann"], "prefs");
    await store.deleteItem(["users", "ann"], "prefs");
    expect(await store.getItem(["users", "ann"], "prefs")).toBeNull();
  });

  test("searches below a prefix with every operator, page by page", async () => {
    for (let n = 0; n < 12; n++)
      await client.store.putItem(["search", n < 6 ? "a" : "b"], `k${n}`, { n, even: n % 2 === 0 });
    await client.store.putItem(["searching"], "other", { n: 1 });
    const keys = async (options: object, prefix = ["search"]): Promise<string[]> =>
      (await client.store.searchItems(prefix, options)).items.map(({ key }) => key);
    expect(await keys({})).toEqual(Array.from({ length: 10 }, (_, n) => `k${n}`));
    expect(await keys({ offset: 10 })).toEqual(["k10", "k11"]);
    expect(await keys({ filter: { even: true, n: { $gte: 4, $lt: 9 } } })).toEqual(["k4", "k6", "k8"]);
    expect(await keys({ filter: { n: { $ne: 6 } } }, ["search", "b"])).toEqual(["k7", "k8", "k9", "k10", "k11"]);
    expect(await keys({ filter: { n: { $eq: 3 } } })).toEqual(["k3"]);
    expect(await keys({ filter: { n: { $gt: 10 } } })).toEqual(["k11"]);
    expect(await keys({ filter: { n: { $lte: 0 } } })).toEqual(["k0"]);
    expect(await keys({ query: "ignored without an index", filter: { n: 1 } })).toEqual(["k1"]);
    expect(await keys({ limit: 1000 }, [])).toContain("other");
  });

  test("lists namespaces by prefix, suffix, wildcard and depth", async () => {
    for (const namespace of [
      ["ns", "a", "v1"],
      ["ns", "a", "v2"],
      ["ns", "b", "v1"],
      ["ns", "b", "v1", "deep"],
    ]) {
      await client.store.putItem(namespace, "k", {});
    }
    const list = async (options: object) =>
      (await client.store.listNamespaces({ prefix: ["ns"], ...options })).namespaces;
    expect(await list({})).toEqual([
      ["ns", "a", "v1"],
      ["ns", "a", "v2"],
      ["ns", "b", "v1"],
      ["ns", "b", "v1", "deep"],
    ]);
    expect(await list({ suffix: ["v1"] })).toEqual([
      ["ns", "a", "v1"],
      ["ns", "b", "v1"],
    ]);
    expect(await list({ prefix: ["ns", "*", "v2"] })).toEqual([["ns", "a", "v2"]]);
    expect(await list({ maxDepth: 2 })).toEqual([
      ["ns", "a"],
      ["ns", "b"],
    ]);
    expect(await list({ limit: 1, offset: 2 })).toEqual([["ns", "b", "v1"]]);
  });

  test("accepts a time to live, and does not return it", async () => {
    await client.store.putItem(["ttl"], "k", { a: 1 }, { ttl: 5 });
    const item = await client.store.getItem(["ttl"], "k", { refreshTtl: false });
    expect(Object.keys(item ?? {})).not.toContain("ttl");
    expect((await client.store.searchItems(["ttl"], { refreshTtl: true })).items).toHaveLength(1);
  });
});

describe("on the wire", () => {
  test("a put and a delete are 204 without a body, and a missing item is 200 with null", async () => {
    const item = { namespace: ["wire"], key: "k", value: {} };
    const answers = [
      await send("PUT", "/store/items", item),
      await send("DELETE", "/store/items", item),
      await send("DELETE", "/store/items", item),
    ];
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array.from({ length: 3 }, () => [204, ""]));
    const missing = await raw(`${server.url}/store/items?namespace=wire&key=k`);
    expect([missing.status, missing.text]).toEqual([200, "null"]);
  });

  test("a namespace is joined by periods or repeated, and a key may have any character", async () => {
    await send("PUT", "/store/items", { namespace: ["wire", "a b"], key: "x/y.z?&=é", value: { n: 1 } });
    const key = encodeURIComponent("x/y.z?&=é");
    for (const namespace of ["namespace=wire.a%20b", "namespace=wire&namespace=a%20b"]) {
      const answer = await raw(`${server.url}/store/items?${namespace}&key=${key}&refresh_ttl=false`);
      expect(json(answer)).toMatchObject({ namespace: ["wire", "a b"], key: "x/y.z?&=é", value: { n: 1 } });
    }
  });

  test.each([
    [["a", ""], "a."],
    [["a.b"], "a.b"],
    [[""], ""],
  ])("the label in %j is refused with the message that clients match", async (namespace, label) => {
    const text = `Namespace labels cannot be empty or contain periods. Received: ${label}`;
    const answers = [
      await send("PUT", "/store/items", { namespace, key: "k", value: {} }),
      await send("DELETE", "/store/items", { namespace, key: "k" }),
      await send("POST", "/store/items/search", { namespace_prefix: namespace }),
      await send("POST", "/store/namespaces", { prefix: namespace }),
      await send("POST", "/store/namespaces", { suffix: namespace }),
    ];
    expect(answers.map((answer) => [answer.status, answer.text])).toEqual(answers.map(() => [422, text]));
  });

  test("an empty namespace is 400", async () => {
    const answers = [
      await send("PUT", "/store/items", { namespace: [], key: "k", value: {} }),
      await send("DELETE", "/store/items", { namespace: [], key: "k" }),
      await raw(`${server.url}/store/items?namespace=&key=k`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await raw(`${server.url}/store/items?namespace=a..b&key=k`)).status).toBe(422);
  });

  test.each([
    ["PUT", "/store/items", { key: "k", value: {} }, "namespace"],
    ["PUT", "/store/items", { namespace: "a", key: "k", value: {} }, "namespace"],
    ["PUT", "/store/items", { namespace: ["a"], value: {} }, "key"],
    ["PUT", "/store/items", { namespace: ["a"], key: "a\0b", value: {} }, "key"],
    ["PUT", "/store/items", { namespace: ["a"], key: "k".repeat(1025), value: {} }, "key"],
    ["PUT", "/store/items", { namespace: ["a\ud800"], key: "k", value: {} }, "namespace"],
    ["PUT", "/store/items", { namespace: ["a"], key: "k", value: [1] }, "value"],
    ["PUT", "/store/items", { namespace: ["a"], key: "k" }, "value"],
    ["PUT", "/store/items", { namespace: ["a"], key: "k", value: {}, ttl: -1 }, "ttl"],
    ["PUT", "/store/items", { namespace: ["a"], key: "k", value: {}, ttl: "5" }, "ttl"],
    ["PUT", "/store/items", { namespace: ["a"], key: "k", value: {}, index: true }, "index"],
    ["DELETE", "/store/items", { namespace: ["a"] }, "key"],
    ["POST", "/store/items/search", { limit: 0 }, "limit"],
    ["POST", "/store/items/search", { offset: -1 }, "offset"],
    ["POST", "/store/items/search", { filter: { a: { $regex: "x" } } }, "filter.a.$regex"],
    ["POST", "/store/items/search", { filter: [1] }, "filter"],
    ["POST", "/store/namespaces", { max_depth: 0 }, "max_depth"],
  ])("%s %s of %j is 422 with the field", async (method, path, body, field) => {
    const answer = await send(method, path, body);
    expect(answer.status).toBe(422);
    expect(json<{ issues: { path: string }[] }>(answer).issues.map((issue) => issue.path)).toContain(field);
  });

  test("a get without a key is 422, and null is the same as a missing member", async () => {
    expect((await raw(`${server.url}/store/items?namespace=a`)).status).toBe(422);
    const nulls = { namespace_prefix: null, filter: null, limit: null, offset: null, query: null, refresh_ttl: null };
    expect((await send("POST", "/store/items/search", nulls)).status).toBe(200);
    expect((await send("POST", "/store/namespaces", { prefix: null, suffix: null, max_depth: null })).status).toBe(200);
    const put = { namespace: ["nulls"], key: "k", value: {}, index: null, ttl: null };
    expect((await send("PUT", "/store/items", put)).status).toBe(204);
  });
});

test("no random body or query gets a 5xx, and what one stored is found again", { timeout: 300_000 }, async () => {
  const words =
    "namespace namespace_prefix key value filter ttl index prefix suffix max_depth query limit offset __proto__";
  const field = fc.constantFrom(...words.split(" "));
  const text = fc.string({ unit: "binary" });
  const labels = fc.array(fc.oneof(text, fc.constantFrom("a", "*", "a.b", "", "langgraph", "\ud800")), {
    maxLength: 4,
  });
  const operators = fc.dictionary(fc.constantFrom("$eq", "$ne", "$gt", "$lte", "$in", "a"), fc.jsonValue(), {
    maxKeys: 2,
  });
  const filter = fc.dictionary(fc.oneof(text, field), fc.oneof(operators, fc.jsonValue()), { maxKeys: 3 });
  const value = fc.oneof(fc.jsonValue(), labels, text, filter, fc.constantFrom(null, -1, 0, 1e308, 5, true));
  const fine = { namespace: ["fuzz"], key: "k", value: { a: 1 } };
  const body = fc.dictionary(field, value, { maxKeys: 6 }).map((odd) => ({ ...fine, ...odd }));
  const calls = [
    ["PUT", "/store/items"],
    ["DELETE", "/store/items"],
    ["POST", "/store/items/search"],
    ["POST", "/store/namespaces"],
  ] as const;
  await fc.assert(
    fc.asyncProperty(fc.array(body, { minLength: 20, maxLength: 20 }), async (bodies) => {
      const answers = await Promise.all(
        bodies.flatMap((one) => calls.map(([method, path]) => send(method, path, one))),
      );
      const gets = bodies.map(({ namespace, key }) => {
        const query = new URLSearchParams({ namespace: JSON.stringify(namespace), key: JSON.stringify(key) });
        return raw(`${server.url}/store/items?${query.toString()}`);
      });
      for (const { status, text } of [...answers, ...(await Promise.all(gets))]) {
        expect([status, text].join(" ")).toMatch(/^(200|204|400|422) ?/);
      }
    }),
    { numRuns: 20, endOnFailure: true },
  );
  await fc.assert(
    fc.asyncProperty(filter, async (stored) => {
      const written = JSON.parse(JSON.stringify(stored)) as Record<string, unknown>;
      const put = await send("PUT", "/store/items", { namespace: ["fuzz"], key: "found", value: written });
      expect(put.status).toBe(204);
      expect((await client.store.getItem(["fuzz"], "found"))?.value).toEqual(written);
    }),
    { numRuns: 50 },
  );
});
