import { resolve } from "node:path";
import { Client, type Config } from "@langchain/langgraph-sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { json, raw, rawStream } from "../support/raw.ts";
import { startServer } from "../support/server.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null, callerOptions: { maxRetries: 0 } });
});

const CHAT = "eb6db400-e3c8-5d06-a834-015cb89efe69";
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const post = (path: string, body: unknown) => raw(`${server.url}${path}`, { body: JSON.stringify(body) });

describe("creating", () => {
  test("returns an assistant with every field that was sent, or its default", async () => {
    const made = await client.assistants.create({
      graphId: "factory",
      assistantId: "A0000000-0000-4000-8000-000000000001",
      config: { tags: ["a"], recursion_limit: 7, configurable: { tone: "dry" } },
      context: { user: "u" },
      metadata: { team: "blue" },
      name: "Dry",
      description: "Says little",
    });
    expect(made).toMatchObject({
      assistant_id: "a0000000-0000-4000-8000-000000000001",
      graph_id: "factory",
      config: { tags: ["a"], recursion_limit: 7, configurable: { tone: "dry" } },
      context: { user: "u" },
      metadata: { team: "blue" },
      name: "Dry",
      description: "Says little",
      version: 1,
    });
    expect(await client.assistants.get(made.assistant_id)).toEqual(made);
    const plain = await client.assistants.create({ graphId: "chat" });
    expect(plain).toMatchObject({ name: "Untitled", description: null, config: {}, context: {}, metadata: {} });
    expect(plain.assistant_id).toMatch(UUID);
    expect(plain.updated_at).toBe(plain.created_at);
  });

  test("an id that is taken is refused, or returns the existing assistant, as if_exists says", async () => {
    const assistantId = "a0000000-0000-4000-8000-000000000002";
    const first = await client.assistants.create({ graphId: "chat", assistantId, name: "first" });
    const again = { graph_id: "chat", assistant_id: assistantId, name: "second" };
    const refused = await post("/assistants", again);
    expect([refused.status, refused.text]).toEqual([409, "Assistant already exists"]);
    expect(
      await client.assistants.create({ graphId: "chat", assistantId, name: "third", ifExists: "do_nothing" }),
    ).toEqual(first);
    expect((await post("/assistants", { graph_id: "chat", assistant_id: CHAT })).status).toBe(409);
    const made = await Promise.all(
      Array.from({ length: 8 }, () =>
        post("/assistants", { ...again, assistant_id: "a0000000-0000-4000-8000-000000000003" }),
      ),
    );
    expect(made.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  });

  test("an unknown graph is 404", async () => {
    const answer = await post("/assistants", { graph_id: "toString" });
    expect([answer.status, answer.text]).toEqual([404, 'Graph "toString" not found']);
  });

  test("its configuration and context are those of its runs", async () => {
    const { assistant_id } = await client.assistants.create({
      graphId: "seen",
      config: { configurable: { tone: "warm" } },
      context: { user: "u" },
      metadata: { team: "red" },
    });
    const { seen } = (await client.runs.wait(null, assistant_id, { input: {} })) as {
      seen: { configurable: Record<string, unknown>; context: unknown; metadata: Record<string, unknown> };
    };
    expect(seen.configurable).toMatchObject({ tone: "warm", assistant_id, graph_id: "seen" });
    expect(seen.context).toEqual({ user: "u" });
    expect(seen.metadata).toMatchObject({ team: "red" });
  });
});

describe("searching and counting", () => {
  test("find and count by metadata, name and graph", async () => {
    for (const n of [1, 2, 3]) {
      await client.assistants.create({ graphId: "ask", name: `Poll ${n}`, metadata: { poll: true, n } });
    }
    const metadata = { poll: true };
    const found = await client.assistants.search({ metadata, sortBy: "name", sortOrder: "asc" });
    expect(found.map((one) => one.name)).toEqual(["Poll 1", "Poll 2", "Poll 3"]);
    expect(await client.assistants.count({ metadata })).toBe(3);
    expect(await client.assistants.count({ metadata: { poll: true, n: 2 } })).toBe(1);
    expect(await client.assistants.count({ name: "pOLL", graphId: "ask" })).toBe(3);
    expect(await client.assistants.count({ graphId: "nothing" })).toBe(0);
    const page = await client.assistants.search({ metadata, limit: 2, includePagination: true, select: ["name"] });
    expect(page).toEqual({ assistants: [{ name: "Poll 3" }, { name: "Poll 2" }], next: "2" });
    const all = await client.assistants.search({ limit: 1000 });
    expect(await client.assistants.count()).toBe(all.length);
  });
});

describe("versions", () => {
  test("are made by an update, which merges metadata and replaces the rest", async () => {
    const first = await client.assistants.create({
      graphId: "chat",
      name: "one",
      description: "stays",
      config: { configurable: { a: 1 } },
      metadata: { x: 1, y: { deep: 1 } },
    });
    const id = first.assistant_id;
    const second = await client.assistants.update(id, {
      name: "two",
      config: { configurable: { b: 2 } },
      metadata: { y: 2, z: null },
      graphId: "ask",
    });
    expect(second).toEqual({
      ...first,
      graph_id: "ask",
      name: "two",
      config: { configurable: { b: 2 } },
      metadata: { x: 1, y: 2, z: null },
      version: 2,
      updated_at: second.updated_at,
    });
    expect(await client.assistants.get(id)).toEqual(second);

    const versions = await client.assistants.getVersions(id);
    const { updated_at: _, ...kept } = first;
    expect(versions).toEqual([expect.objectContaining({ version: 2, name: "two", graph_id: "ask" }), kept]);
    expect(versions[0]).not.toHaveProperty("updated_at");
    expect(await client.assistants.getVersions(id, { limit: 1, offset: 1 })).toEqual([kept]);
    expect(await client.assistants.getVersions(id, { metadata: { y: 2 } })).toHaveLength(1);

    const back = await client.assistants.setLatest(id, 1);
    expect(back).toEqual({ ...first, updated_at: back.updated_at });
    expect(await client.assistants.get(id)).toEqual(back);
    expect(await client.assistants.update(id, { name: "three" })).toMatchObject({
      version: 3,
      metadata: first.metadata,
    });
    const asQuery = await post(`/assistants/${id}/latest?version=2`, {});
    expect(json(asQuery)).toMatchObject({ version: 2, name: "two" });
  });

  test("of simultaneous updates are numbered one after the other, and none is lost", async () => {
    const { assistant_id: id } = await client.assistants.create({ graphId: "chat" });
    const keys = Array.from({ length: 20 }, (_, n) => `key${n}`);
    const made = await Promise.all(keys.map((key) => client.assistants.update(id, { metadata: { [key]: true } })));
    expect(made.map((one) => one.version).toSorted((a, b) => a - b)).toEqual(keys.map((_, n) => n + 2));
    expect(Object.keys((await client.assistants.get(id)).metadata ?? {}).toSorted()).toEqual(keys.toSorted());
    expect(await client.assistants.getVersions(id, { limit: 100 })).toHaveLength(21);
  });

  test("the assistant of a graph can be updated under the graph's name, but keeps its graph", async () => {
    const before = await client.assistants.get("tokens");
    const config: Config = { configurable: { tone: "dry" } };
    expect(await client.assistants.update("tokens", { config })).toMatchObject({ version: 2, config });
    expect(await client.assistants.get(before.assistant_id)).toMatchObject({ version: 2 });
    expect(await client.assistants.setLatest("tokens", 1)).toMatchObject({ version: 1, config: {} });
    expect(await client.assistants.getVersions("tokens")).toHaveLength(2);
    const answer = await raw(`${server.url}/assistants/tokens`, { method: "PATCH", body: '{"graph_id":"chat"}' });
    expect(answer.status).toBe(422);
    expect(json<{ issues: unknown }>(answer).issues).toEqual([{ path: "graph_id", message: 'expected "tokens"' }]);
  });

  test("an unknown version is 404", async () => {
    const answer = await post(`/assistants/${CHAT}/latest`, { version: 99 });
    expect([answer.status, answer.text]).toEqual([404, "Assistant version not found"]);
  });
});

describe("deleting", () => {
  test("removes the assistant and its versions", async () => {
    const { assistant_id: id } = await client.assistants.create({ graphId: "chat" });
    const answer = await raw(`${server.url}/assistants/${id}?delete_threads=true`, { method: "DELETE" });
    expect([answer.status, json(answer)]).toEqual([200, [id]]);
    for (const path of ["", "/graph", "/schemas", "/subgraphs"]) {
      expect((await raw(`${server.url}/assistants/${id}${path}`)).text).toBe("Assistant not found");
    }
    expect((await post(`/assistants/${id}/versions`, {})).status).toBe(404);
    expect((await post("/runs", { assistant_id: id })).status).toBe(404);
    await expect(client.assistants.delete(id)).rejects.toThrow("HTTP 404: Assistant not found");
  });

  test("removes the threads that were started with it, when delete_threads is set", async () => {
    const { assistant_id: id } = await client.assistants.create({ graphId: "chat" });
    const threads = await Promise.all([1, 2, 3].map(() => client.threads.create()));
    for (const [at, { thread_id }] of threads.entries()) {
      await client.runs.wait(thread_id, at < 2 ? id : "chat", {
        input: { messages: [{ role: "user", content: "?" }] },
      });
    }
    const left = async () =>
      (await Promise.all(threads.map(({ thread_id }) => raw(`${server.url}/threads/${thread_id}`)))).map(
        (answer) => answer.status,
      );
    expect(await left()).toEqual([200, 200, 200]);
    await client.assistants.delete(id, { deleteThreads: true });
    expect(await left()).toEqual([404, 404, 200]);
  });

  test("the assistant of a graph is refused", async () => {
    for (const id of ["chat", CHAT]) {
      const answer = await raw(`${server.url}/assistants/${id}`, { method: "DELETE" });
      expect([answer.status, answer.text]).toEqual([422, "A system assistant cannot be deleted"]);
    }
    expect(await client.runs.wait(null, "chat", { input: { messages: [] } })).toHaveProperty("messages");
  });

  test("ends its runs: a follower receives the end, and the run is gone", async () => {
    const { assistant_id: id } = await client.assistants.create({ graphId: "slow" });
    const run = await client.runs.create(null, id, { input: {}, streamMode: "custom", streamResumable: true });
    const follower = await rawStream(`${server.url}/runs/${run.run_id}/stream`, { headers: { "last-event-id": "-1" } });
    await follower.until((event) => event.event === "custom");
    const later = await client.runs.create(null, id, { input: {}, afterSeconds: 3600 });
    await client.assistants.delete(id);
    await follower.end();
    for (const { run_id } of [run, later]) {
      expect((await raw(`${server.url}/runs/${run_id}/stream`)).status).toBe(404);
    }
  });
});

test("updates survive a killed server", async () => {
  const home = await startServer({ app: resolve(import.meta.dirname, "apps/modes") });
  const { assistants } = new Client({ apiUrl: home.url, apiKey: null });
  const { assistant_id: id } = await assistants.create({ graphId: "chat", name: "kept" });
  const changed = await assistants.update(id, { description: "still here" });
  await assistants.update("chat", { name: "renamed" });
  await home.crash();
  const next = await startServer({ app: resolve(import.meta.dirname, "apps/modes"), home: home.home });
  const after = new Client({ apiUrl: next.url, apiKey: null }).assistants;
  expect(await after.get(id)).toEqual(changed);
  expect(await after.getVersions(id)).toHaveLength(2);
  expect(await after.get("chat")).toMatchObject({ name: "renamed", version: 2 });
  await next.stop();
});
