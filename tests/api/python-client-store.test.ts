/** Tests the store, crons and authentication with the official client for Python. */
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Embeddings, startEmbeddings } from "../support/embeddings.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { clients, describePython, runPython, type PythonClient } from "./python-langgraph.ts";

const KEY = "a-key-of-thirty-two-characters-0";
let embeddings: Embeddings;
let server: TestServer;
let guarded: TestServer;
beforeAll(async () => {
  embeddings = await startEmbeddings();
  const app = (name: string) => resolve(import.meta.dirname, "apps", name);
  const env = { OPENAI_BASE_URL: embeddings.url, OPENAI_API_KEY: "sk-secret", GRAPHLIB_API_KEY: KEY };
  [server, guarded] = await Promise.all([
    startServer({ app: app("store"), env }),
    startServer({ app: app("guarded") }),
  ]);
});
afterAll(async () => {
  await Promise.all([server.stop(), guarded.stop()]);
  embeddings.close();
});

interface Items {
  items: { key: string; score?: number | null; value: object }[];
}
const contain = (...kinds: string[]) => expect.arrayContaining(kinds) as string[];

describePython.each(clients)("%s", (name, open) => {
  let python: PythonClient;
  beforeAll(() => {
    python = open({ url: server.url, key: KEY });
  });
  afterAll(() => python.close());

  test("items are stored, found by their members and by their meaning, and deleted", async () => {
    const space = [name.replaceAll(".", "-"), "notes"];
    const put = (key: string, value: object, options = {}) =>
      python.call("store.put_item", [space], { key, value, ...options });
    const get = (key: string, options = {}) => python.call("store.get_item", [space], { key, ...options });
    const search = async (options: object) => {
      const { items } = await python.call<Items>("store.search_items", [space.slice(0, 1)], options);
      return items.map(({ key, score }) =>
        score === undefined || score === null ? key : [key, Math.round(score * 10)],
      );
    };
    await put("one", { text: "aaab", n: 1 });
    await put("two", { text: "bbb", n: 2 });
    await put("off", { text: "bbb", n: 3 }, { index: false });
    expect(await get("one")).toMatchObject({ namespace: space, key: "one", value: { text: "aaab", n: 1 } });
    expect(await search({ query: "b", limit: 3 })).toEqual([["two", 10], ["one", 3], "off"]);
    expect(await search({ filter: { n: 2 } })).toEqual(["two"]);
    expect((await search({ filter: { n: { $gte: 2 } } })).toSorted()).toEqual(["off", "two"]);
    expect(await search({ limit: 1, offset: 3 })).toEqual([]);
    await put("one", { text: "changed" }, { ttl: 10 });
    expect(await get("one", { refresh_ttl: true })).toMatchObject({ value: { text: "changed" } });
    await python.call("store.delete_item", [space], { key: "one" });
    expect(await get("one")).toBeNull();
  });

  test("namespaces are listed by prefix, suffix and depth", async () => {
    const top = `space of ${name.replaceAll(".", "-")}`;
    for (const path of [
      ["a", "x"],
      ["a", "y"],
      ["b", "x"],
    ])
      await python.call("store.put_item", [[top, ...path]], { key: "k", value: { text: "a" } });
    const list = async (options: object) =>
      (await python.call<{ namespaces: string[][] }>("store.list_namespaces", [], options)).namespaces;
    expect(await list({ prefix: [top] })).toHaveLength(3);
    expect(await list({ prefix: [top, "a"] })).toEqual([
      [top, "a", "x"],
      [top, "a", "y"],
    ]);
    expect(await list({ prefix: [top], suffix: ["x"] })).toEqual([
      [top, "a", "x"],
      [top, "b", "x"],
    ]);
    expect(await list({ prefix: [top], max_depth: 2 })).toEqual([
      [top, "a"],
      [top, "b"],
    ]);
    expect(await list({ prefix: [top], limit: 1, offset: 2 })).toEqual([[top, "b", "x"]]);
    const dotted = python.call("store.put_item", [["a.b"]], { key: "k", value: {} });
    await expect(dotted).rejects.toMatchObject({ kinds: contain("ValueError") });
  });

  test("crons are created with and without a thread, found, counted, updated and deleted", async () => {
    const mine = { by: `${name} ${crypto.randomUUID()}` };
    const { thread_id } = await python.call<{ thread_id: string }>("threads.create");
    const end_time = { datetime: "2036-12-01T08:30:00.123456" };
    const options = { schedule: "5 4 * * *", metadata: mine, input: { text: "a" } };
    const bound = await python.call<{ cron_id: string }>("crons.create_for_thread", [thread_id, "notes"], {
      ...options,
      end_time,
      timezone: "Europe/Berlin",
      enabled: false,
    });
    expect(bound).toMatchObject({
      thread_id,
      enabled: false,
      end_time: expect.stringMatching(/^2036-1[12]-/) as string,
    });
    const free = await python.call<{ cron_id: string }>("crons.create", ["notes"], {
      ...options,
      on_run_completed: "keep",
    });
    const search = { metadata: mine, sort_by: "created_at", sort_order: "asc", select: ["cron_id", "schedule"] };
    expect(await python.call("crons.search", [], search)).toEqual(
      [bound, free].map(({ cron_id }) => ({ cron_id, schedule: "5 4 * * *" })),
    );
    expect(await python.call("crons.search", [], { thread_id, enabled: false })).toHaveLength(1);
    expect(await python.call("crons.count", [], { metadata: mine })).toBe(2);
    expect(await python.call("crons.count", [], { thread_id, assistant_id: "nobody" })).toBe(0);
    const change = { schedule: "1 1 * * *", enabled: false, metadata: { ...mine, n: 1 } };
    expect(await python.call("crons.update", [free.cron_id], change)).toMatchObject({
      ...change,
      on_run_completed: "keep",
    });
    // Only the newer clients can remove an end.
    if (name.startsWith("0.4"))
      expect(await python.call("crons.update", [bound.cron_id], { end_time: null })).toMatchObject({ end_time: null });
    await python.call("crons.delete", [bound.cron_id]);
    expect(await python.call("crons.count", [], { metadata: mine })).toBe(1);
    const bad = python.call("crons.create", ["notes"], { ...options, schedule: "every day" });
    await expect(bad).rejects.toMatchObject({ status: 422, kinds: contain("UnprocessableEntityError") });
  });

  test("without the key, or with another, every call is refused with 401", async () => {
    const other = open({ url: server.url, key: "another-key-of-thirty-two-charac" });
    const none = open({ url: server.url });
    const refusal = { status: 401, kinds: contain("AuthenticationError") };
    await expect(other.call("assistants.search")).rejects.toMatchObject(refusal);
    await expect(none.call("assistants.search")).rejects.toMatchObject(refusal);
    await expect(none.call("runs.stream", [null, "notes"])).rejects.toMatchObject(refusal);
    await expect(none.call("runs.wait", [null, "notes"])).rejects.toThrow("401 Unauthorized");
    await Promise.all([other.close(), none.close()]);
  });

  // All versions send headers alike.
  test.skipIf(name.startsWith("0.3"))(
    "an application's own authentication reads the headers of the program",
    async () => {
      const as = (user: string) => open({ url: guarded.url, headers: { authorization: `Bearer ${user}` } });
      const [ada, bob, nobody] = [as("ada"), as("bob"), open({ url: guarded.url })];
      expect(await ada.call("runs.wait", [null, "told"], { input: {} })).toMatchObject({
        id: "ada",
        permissions: ["talk"],
      });
      const { thread_id } = await ada.call<{ thread_id: string }>("threads.create");
      await expect(bob.call("threads.get", [thread_id])).rejects.toMatchObject({ kinds: contain("NotFoundError") });
      await expect(nobody.call("threads.create")).rejects.toMatchObject({
        kinds: contain("AuthenticationError"),
        body: expect.stringContaining("Who are you?") as string,
      });
      await Promise.all([ada.close(), bob.close(), nobody.close()]);
    },
  );
});

describePython.each(["sse", "websocket"])("a stream of a thread over %s", (transport) => {
  const stream = (more: object) =>
    runPython("thread_stream", { assistant: "told", input: {}, read: ["output"], transport, ...more });

  test("is opened with its headers, by the owner of the thread", async () => {
    const as = (user: string) => ({ authorization: `Bearer ${user}` });
    const [headers, other] = [as("ada"), as("bob")];
    const result = await stream({ url: guarded.url, headers, client: headers });
    expect(result).toMatchObject({ output: { values: { id: "ada" } } });
    const { thread } = result as { thread: string };
    await expect(stream({ url: guarded.url, thread, headers: other, client: other })).rejects.toThrow(
      "HTTPStatusError",
    );
  });

  test("is opened with the key", async () => {
    const headers = { "x-api-key": KEY };
    const options = { url: server.url, assistant: "notes", input: { text: "a" } };
    expect(await stream({ ...options, key: KEY, headers })).toMatchObject({ output: { values: { text: "a" } } });
    await expect(stream({ ...options, key: `${KEY}1` })).rejects.toThrow("401 Unauthorized");
  });
});
