import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let client: Client;
beforeAll(async () => {
  const seeds = { named: { configurable: { nodeName: "seeded" }, recursion_limit: 7, context: { tone: "dry" } } };
  server = await startServer({
    app: resolve(import.meta.dirname, "apps/nested"),
    env: { LANGGRAPH_CONFIG: JSON.stringify(seeds) },
  });
  client = new Client({ apiUrl: server.url, apiKey: null, defaultHeaders: { "x-team": "blue" } });
});
afterAll(() => server.stop());

test("a graph factory gets a run's configurable for later calls about the thread too", async () => {
  const { thread_id } = await client.threads.create();
  const config = { configurable: { nodeName: "ann", run_id: "forged", thread_id: "forged" }, tags: ["once"] };
  await client.runs.wait(thread_id, "named", { input: {}, config });
  expect((await client.threads.get(thread_id)).config).toEqual({ configurable: { nodeName: "ann" } });
  await client.threads.updateState(thread_id, { values: { log: ["by hand"] }, asNode: "ann" });
  expect((await client.threads.getState<{ log: string[] }>(thread_id)).values.log).toEqual(["ann", "by hand"]);
  expect((await client.threads.getHistory(thread_id)).length).toBeGreaterThan(2);
});

test("later runs of the thread start with it, and replace it by their own", async () => {
  const { thread_id } = await client.threads.create();
  const log = async (nodeName?: string) => {
    const config = nodeName === undefined ? {} : { config: { configurable: { nodeName } } };
    return ((await client.runs.wait(thread_id, "named", { input: {}, ...config })) as { log: string[] }).log;
  };
  expect(await log("ann")).toEqual(["ann"]);
  expect(await log()).toEqual(["ann", "ann"]);
  expect(await log("bob")).toEqual(["ann", "ann", "bob"]);
  expect((await client.threads.get(thread_id)).config).toEqual({ configurable: { nodeName: "bob" } });
});

test("an assistant's current configurable is used for calls about its threads", async () => {
  const config = { configurable: { nodeName: "assistant" } };
  const { assistant_id } = await client.assistants.create({ graphId: "named", config });
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, assistant_id, { input: {} });
  await client.threads.updateState(thread_id, { values: { log: ["by hand"] }, asNode: "assistant" });
  await client.assistants.update(assistant_id, { config: { configurable: { nodeName: "renamed" } } });
  await client.threads.updateState(thread_id, { values: { log: ["again"] }, asNode: "renamed" });
  expect((await client.threads.getState<{ log: string[] }>(thread_id)).values.log).toHaveLength(3);
});

test("the assistant of a graph starts with its part of LANGGRAPH_CONFIG", async () => {
  expect(await client.assistants.get("named")).toMatchObject({
    config: { configurable: { nodeName: "seeded" }, recursion_limit: 7 },
    context: { tone: "dry" },
  });
  expect(await client.assistants.get("outer")).toMatchObject({ config: {}, context: {} });
  expect(await client.runs.wait(null, "named", { input: {} })).toEqual({ log: ["seeded"] });
});

test("an application with an invalid LANGGRAPH_CONFIG reports that", async () => {
  const app = resolve(import.meta.dirname, "apps/nested");
  const broken = await startServer({ app, env: { LANGGRAPH_CONFIG: '{"named":{"configurable":1}}' } });
  try {
    const problem = async () => await (await fetch(`${broken.url}/ok`)).text();
    await expect
      .poll(problem, { timeout: 20_000 })
      .toContain("LANGGRAPH_CONFIG is no JSON object of configurations by name of graph (see named.configurable)");
  } finally {
    await broken.stop();
  }
});
