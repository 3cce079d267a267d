import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, expect, test } from "vitest";
import { json, raw } from "../support/raw.ts";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

const CHAT = "eb6db400-e3c8-5d06-a834-015cb89efe69";

test("every graph has its assistant, under the graph's name and under its uuid", async () => {
  const byName = await client.assistants.get("chat");
  expect(byName).toMatchObject({
    assistant_id: CHAT,
    graph_id: "chat",
    name: "chat",
    description: "Streams a reply, token by token",
    metadata: { created_by: "system" },
    version: 1,
  });
  expect(await client.assistants.get(CHAT)).toEqual(byName);
  expect(await client.assistants.get(CHAT.toUpperCase())).toEqual(byName);
});

test("search pages through all assistants, with their number and the next offset", async () => {
  const all = await client.assistants.search({ limit: 100 });
  const first = await client.assistants.search({ limit: 4, includePagination: true });
  expect(first.next).toBe("4");
  expect(first.assistants).toEqual(all.slice(0, 4));
  const last = await client.assistants.search({ limit: 4, offset: all.length - 2, includePagination: true });
  expect(last.next).toBeNull();
  const answer = await raw(`${server.url}/assistants/search`, { body: "{}" });
  expect(answer.headers["x-pagination-total"]).toBe(String(all.length));
});

test("search filters by graph, name and metadata, and returns only the selected fields", async () => {
  expect((await client.assistants.search({ graphId: "ask" })).map((one) => one.name)).toEqual(["ask"]);
  expect(await client.assistants.search({ metadata: { created_by: "somebody" } })).toEqual([]);
  const answer = await raw(`${server.url}/assistants/search`, {
    body: JSON.stringify({ name: "CHA", select: ["assistant_id", "name"] }),
  });
  expect(json<unknown>(answer)).toEqual([{ assistant_id: CHAT, name: "chat" }]);
});

test("a drawing has the graph's nodes, its edges and, with xray, its subgraphs", async () => {
  const drawing = await client.assistants.getGraph("steps");
  expect(drawing.nodes.map((node) => node.id)).toEqual(["__start__", "one", "two", "__end__"]);
  expect(drawing.edges).toContainEqual(expect.objectContaining({ source: "two", target: "one", conditional: true }));
  const family = await client.assistants.getGraph("family", { xray: true });
  expect(family.nodes.map((node) => node.id)).toContain("child:model");
  expect((await client.assistants.getGraph("family")).nodes.map((node) => node.id)).toEqual([
    "__start__",
    "child",
    "__end__",
  ]);
});

test("schemas come from zod state; a plain annotation gives its keys, and an unknown schema is null", async () => {
  const shape = await client.assistants.getSchemas("shape");
  expect(shape).toMatchObject({ graph_id: "shape", state_schema: { properties: { question: { type: "string" } } } });
  const steps = await client.assistants.getSchemas("steps");
  expect(steps).toMatchObject({ graph_id: "steps", input_schema: { properties: { n: {} } }, config_schema: null });
});

test("an unknown assistant is 404 with the message that clients match", async () => {
  const id = "00000000-0000-4000-8000-000000000000";
  for (const path of [id, "nobody", `${id}/graph`, "nobody/schemas"]) {
    const answer = await raw(`${server.url}/assistants/${path}`);
    expect([answer.status, answer.text]).toEqual([404, "Assistant not found"]);
  }
  const run = await raw(`${server.url}/runs/stream`, { body: JSON.stringify({ assistant_id: "nobody" }) });
  expect([run.status, run.text]).toEqual([
    404,
    'No assistant found for "nobody". Make sure the assistant ID is for a valid assistant or a valid graph ID.',
  ]);
});
