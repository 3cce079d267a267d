import { type BaseStore, InMemoryStore, type Operation } from "@langchain/langgraph";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type StoreHost, storeHost } from "../../support/store-host.ts";
import { killWorkers, startWorker, type WorkerProcess } from "../../support/worker-process.ts";

interface Action {
  verb: "get" | "put" | "search" | "delete" | "listNamespaces" | "batch";
  args: unknown[];
}

let host: StoreHost;
let worker: WorkerProcess;
let requests = 0;
beforeAll(async () => {
  host = await storeHost();
  const graphs = ["operate", "together", "odd", "forgetful"];
  worker = await startWorker({
    app: "store",
    graphs: Object.fromEntries(graphs.map((id) => [id, `graphs.js:${id}`])),
    answer(origin, request) {
      requests++;
      return host.answer(origin, request);
    },
  });
});
beforeEach(async () => {
  await host.close();
  host = await storeHost();
  requests = 0;
});
afterAll(async () => {
  killWorkers();
  await host.close();
});

async function perform(actions: Action[], graph = "operate"): Promise<unknown[]> {
  const { events, error } = await worker.run({ graph, input: { actions } });
  expect(error).toBeUndefined();
  const state = events.at(-1)?.data as { results: unknown[] };
  return state.results;
}

const put = (namespace: string[], key: string, value: object): Action => ({
  verb: "put",
  args: [namespace, key, value],
});

/** Only leaves are used, so that the order of what is found below them depends only on when it was stored. */
const LEAVES = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y", "z"], ["c"]];

/** Copies a store: LangGraph's own lists namespaces even when their items are gone, and a new one does not. */
async function afresh(store: InMemoryStore): Promise<InMemoryStore> {
  const fresh = new InMemoryStore();
  for (const { namespace, key, value } of await store.search([], { limit: 100_000 }))
    await fresh.put(namespace, key, value);
  return fresh;
}

async function expected(store: InMemoryStore, { verb, args }: Action): Promise<unknown> {
  const fresh = await afresh(store);
  const call = (on: BaseStore): Promise<unknown> => Reflect.apply(on[verb], on, args) as Promise<unknown>;
  if (verb === "listNamespaces") return await call(fresh);
  if (verb !== "batch") return await call(store);
  // The store returns its items themselves, which a write of the same batch then changes.
  const operations = args[0] as Operation[];
  const reads = await Promise.all(operations.map(async (one) => ("value" in one ? [null] : await fresh.batch([one]))));
  await call(store);
  return reads.flat(1);
}

/** Removes the times of items, and sorts what is found in several namespaces by their names. */
function comparable(result: unknown): unknown {
  if (Array.isArray(result)) {
    const parts: unknown[] = result.map(comparable);
    const items = parts.filter((part) => typeof part === "object" && part !== null && "namespace" in part);
    const places = new Set(items.map((item) => JSON.stringify(item.namespace)));
    return places.size > 1 && items.length === parts.length
      ? parts.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : parts;
  }
  if (typeof result === "object" && result !== null && "createdAt" in result && "updatedAt" in result) {
    const { createdAt, updatedAt, ...item } = result;
    for (const time of [createdAt, updatedAt])
      expect(time instanceof Date || /^Date \d+$/.test(String(time))).toBe(true);
    return JSON.parse(JSON.stringify(item));
  }
  return result ?? null;
}

const leaf = fc.constantFrom(...LEAVES);
const key = fc.constantFrom("k1", "k2", "k3");
const value = fc.record(
  {
    n: fc.integer({ min: 0, max: 5 }),
    s: fc.constantFrom("red", "blue"),
    on: fc.boolean(),
    deep: fc.constant({ a: [1, null] }),
  },
  { requiredKeys: ["n"] },
);
const comparison = fc.constantFrom("$eq", "$ne", "$gt", "$gte", "$lt", "$lte");
const filter = fc.oneof(
  fc.constant(undefined),
  fc.record({ n: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ s: fc.constantFrom("red", "blue"), on: fc.boolean() }),
  fc.tuple(comparison, fc.integer({ min: 0, max: 5 })).map(([operator, n]) => ({ n: { [operator]: n } })),
  fc.record({ s: fc.record({ $ne: fc.constantFrom("red", "blue") }), n: fc.record({ $in: fc.constant([1, 2, 3]) }) }),
);
const page = { limit: fc.integer({ min: 1, max: 4 }), offset: fc.nat(2) };
const search = fc.oneof(
  fc.record({ namespacePrefix: leaf, filter, ...page }),
  fc.record({
    namespacePrefix: fc.constantFrom([], ["a"], ["b"], ["b", "y"], ["d"]),
    filter,
    limit: fc.constant(1000),
    offset: fc.constant(0),
  }),
);
const path = fc.array(fc.constantFrom("a", "b", "x", "y", "z", "*"), { minLength: 1, maxLength: 3 });
const listing = fc.record({
  prefix: fc.option(path, { nil: undefined }),
  suffix: fc.option(path, { nil: undefined }),
  maxDepth: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  ...page,
});
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ namespace: leaf, key, value }) },
  { weight: 1, arbitrary: fc.record({ namespace: leaf, key, value: fc.constant(null) }) },
  { weight: 2, arbitrary: fc.record({ namespace: leaf, key }) },
  { weight: 2, arbitrary: search },
  {
    weight: 1,
    arbitrary: fc.record({
      matchConditions: fc.array(fc.record({ matchType: fc.constantFrom("prefix" as const, "suffix" as const), path }), {
        maxLength: 2,
      }),
      ...page,
    }),
  },
);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.tuple(leaf, key, value).map((args) => ({ verb: "put" as const, args })),
  fc.tuple(leaf, key).map((args) => ({ verb: "delete" as const, args })),
  fc.tuple(leaf, key).map((args) => ({ verb: "get" as const, args })),
  search.map(({ namespacePrefix, ...options }) => ({ verb: "search" as const, args: [namespacePrefix, options] })),
  listing.map((options) => ({ verb: "listNamespaces" as const, args: [options] })),
  fc
    .array(operation, { minLength: 1, maxLength: 6 })
    .map((operations) => ({ verb: "batch" as const, args: [operations] })),
);

test("any sequence of operations gives in a graph what LangGraph's own store gives", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), async (actions) => {
      await host.close();
      host = await storeHost();
      const oracle = new InMemoryStore();
      const results = await perform(actions);
      for (const [index, one] of actions.entries()) {
        const actual = { one, result: comparable(results[index]) };
        expect(actual).toEqual({ one, result: comparable(await expected(oracle, one)) });
      }
    }),
    { numRuns: 60 },
  );
});

describe("the store of a graph", () => {
  test("gives items with dates, and keeps when they were first stored", async () => {
    const created = host.clock.time;
    await perform([put(["a"], "k", { n: 1 })]);
    host.clock.time += 5000;
    const [, item] = await perform([put(["a"], "k", { n: 2 }), { verb: "get", args: [["a"], "k"] }]);
    expect(item).toEqual({
      namespace: ["a"],
      key: "k",
      value: { n: 2 },
      createdAt: `Date ${created}`,
      updatedAt: `Date ${created + 5000}`,
    });
  });

  test("sends the operations of one tick in one request, and reads the items before its writes", async () => {
    await perform([put(["a"], "k", { n: 1 })]);
    requests = 0;
    const results = await perform(
      [
        put(["a"], "k", { n: 2 }),
        { verb: "get", args: [["a"], "k"] },
        { verb: "search", args: [["a"]] },
        { verb: "listNamespaces", args: [] },
      ],
      "together",
    );
    expect(requests).toBe(1);
    expect(results).toMatchObject([null, { value: { n: 1 } }, [{ value: { n: 1 } }], [["a"]]]);
  });

  test("refuses a namespace in LangGraph's own words, and nothing is stored", async () => {
    const results = await perform([[], ["a.b"], [""], ["langgraph"]].map((namespace) => put(namespace, "k", {})));
    expect(results).toEqual(
      Array.from({ length: 4 }, () => expect.objectContaining({ error: "InvalidNamespaceError" })),
    );
    const [refused] = await perform([
      {
        verb: "batch",
        args: [
          [
            { namespace: ["fine"], key: "k", value: {} },
            { namespace: ["a."], key: "k", value: {} },
          ],
        ],
      },
    ]);
    expect(refused).toMatchObject({ message: expect.stringContaining("cannot be empty or contain periods") });
    expect(await perform([{ verb: "search", args: [[]] }])).toEqual([[]]);
  });

  test("never splits a label at a period", async () => {
    await perform([put(["a", "b"], "k", {})]);
    expect(
      await perform([
        { verb: "get", args: [["a.b"], "k"] },
        { verb: "delete", args: [["a.b"], "k"] },
      ]),
    ).toEqual([null, null]);
    expect(await perform([{ verb: "search", args: [["a.b"]] }])).toEqual([[]]);
    expect(await perform([{ verb: "get", args: [["a", "b"], "k"] }])).toMatchObject([{ key: "k" }]);
  });

  test("keeps values in their JSON form, and fails with a reason for others", async () => {
    const [value, errors] = await perform([], "odd");
    expect(value).toEqual({ at: "1970-01-01T00:00:00.000Z", list: [1], big: "12", nan: null });
    expect(errors).toEqual([
      "The value of a stored item must be an object",
      'The filter of a search is undefined for "user"',
      expect.stringContaining("unknown operator"),
      expect.stringContaining("namespace"),
      expect.stringContaining("key"),
    ]);
  });

  test("has stored writes that nobody awaited when the run ends", async () => {
    await perform([], "forgetful");
    expect(await host.home.items.get({ namespace: ["forgotten"], key: "k" }, 0)).toMatchObject({ value: { n: 1 } });
  });
});

describe("the worker embeds texts", () => {
  const embed = async (by: string, of: "items" | "query", texts: string[]) => {
    const id = Math.floor(Math.random() * 1e9);
    worker.send({ type: "embed", id, by, of, texts });
    return await worker.line("embedded", (line) => line.id === id);
  };

  test("by a function or by LangChain's embeddings, any number of them, in their order", async () => {
    const texts = Array.from({ length: 700 }, (_, n) => "x".repeat(n % 9));
    const vectors = texts.map((text) => [text.length, 1]);
    expect(await embed("./graphs.js:lengths", "items", texts)).toMatchObject({ vectors });
    expect(await embed("./graphs.js:model", "query", ["four"])).toMatchObject({ vectors: [[4, 1]] });
    expect(await embed("./graphs.js:model", "items", ["four"])).toMatchObject({ vectors: [[4, 0]] });
  });

  test.each([
    ["wrong", /returned no list of vectors/],
    ["broken", /^no model in models$/],
    ["number", /neither a function nor embeddings/],
    ["missing", /graphs\.js has no export "missing"/],
  ])("or says why not, without paths: %s", async (name, message) => {
    expect(await embed(`./graphs.js:${name}`, "items", ["x"])).toMatchObject({
      error: { message: expect.stringMatching(message) },
    });
  });
});
