import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { expect, test } from "vitest";
import { readNodeInfo } from "../../lib/protocol/node-info.ts";
import studio from "../e2e/apps/studio/graphlib.json" with { type: "json" };
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "../e2e/apps/studio") });

async function nodesOf(graph: string, xray: boolean) {
  const { nodes } = await new Client({ apiUrl: server.url, apiKey: null }).assistants.getGraph(graph, { xray });
  return nodes;
}

test("a drawing tells of each node what is known, with paths from the application's folder", async () => {
  const nodes = await nodesOf("agent", true);
  expect(nodes.map(({ id, metadata }) => [id, readNodeInfo(metadata)?.kind])).toEqual([
    ["__start__", undefined],
    ["triage", "node"],
    ["model", "node"],
    ["tools", "tools"],
    ["answer", "node"],
    ["__end__", undefined],
  ]);
  const files = nodes.flatMap(({ metadata }) => readNodeInfo(metadata)?.source?.file ?? []);
  expect(files).toEqual(["agent.ts", "agent.ts", "agent.ts"]);
});

test("a graph of the functional API can be drawn, and the worker goes on", async () => {
  const nodes = await nodesOf("sum", true);
  expect(nodes.length).toBeGreaterThan(0);
  expect((await nodesOf("agent", false)).length).toBe(6);
});

test("every graph of the application can be drawn, with and without its subgraphs", async () => {
  const client = new Client({ apiUrl: server.url, apiKey: null });
  const assistants = await client.assistants.search({ limit: 100 });
  const graphs = assistants.map(({ graph_id }) => graph_id);
  for (const graph of graphs) {
    for (const xray of [false, true]) expect((await nodesOf(graph, xray)).length).toBeGreaterThan(0);
  }
  expect(graphs.toSorted()).toEqual(Object.keys(studio.graphs).toSorted());
});
