import { afterAll, beforeAll, expect, test } from "vitest";
import { GraphDrawing } from "../../../lib/protocol/assistants.ts";
import { killWorkers, startWorker, type WorkerProcess } from "../../support/worker-process.ts";

let worker: WorkerProcess;
const graphs = ["zod", "schema", "zodMessages", "annotated", "drawn", "undrawable"];
beforeAll(async () => {
  worker = await startWorker({
    app: "config",
    graphs: Object.fromEntries(graphs.map((id) => [id, `graphs.js:${id}`])),
  });
});
afterAll(killWorkers);

let requests = 0;
async function describeGraph(graph: string, what: "schemas" | "drawing", xray: boolean | number = false) {
  const id = ++requests;
  const request = what === "schemas" ? { what, typed: "all" as const } : { what, xray };
  worker.send({ type: "describe", id, graph, ...request });
  return worker.line("described", (line) => line.id === id);
}
async function schemasOf(graph: string) {
  const line = await describeGraph(graph, "schemas");
  if (!("schemas" in line)) throw new Error("no schemas");
  return line.schemas;
}
async function drawingOf(graph: string, xray: boolean | number) {
  const line = await describeGraph(graph, "drawing", xray);
  return GraphDrawing.parse("drawing" in line ? line.drawing : undefined);
}

test("a drawing has nodes of two types and edges, some conditional", async () => {
  const { nodes, edges } = await drawingOf("drawn", false);
  expect(nodes.map(({ id, type }) => [id, type])).toEqual([
    ["__start__", "schema"],
    ["inner", "runnable"],
    ["__end__", "schema"],
  ]);
  expect(nodes[1]?.data).toMatchObject({ name: expect.any(String) });
  expect(edges).toMatchObject([
    { source: "__start__", target: "inner" },
    { source: "inner", target: "__end__" },
  ]);
});

test("xray shows what is inside", async () => {
  const { nodes, edges } = await drawingOf("drawn", true);
  const ids = nodes.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(["__start__", "inner:left", "inner:right", "__end__"]));
  expect(ids).not.toContain("inner");
  expect(edges.find(({ source }) => source === "inner:left")).toMatchObject({
    target: "inner:right",
    conditional: true,
  });
});

test("schemas come from zod", async () => {
  expect(await schemasOf("zod")).toMatchObject({
    graph_id: "zod",
    state_schema: {
      type: "object",
      properties: { name: { type: "string" }, age: { type: "number" } },
      required: ["name"],
    },
    input_schema: { type: "object", properties: { name: { type: "string" } } },
    output_schema: { type: "object", properties: { age: { type: "number" } } },
    config_schema: { type: "object", properties: { model: { type: "string" } }, required: ["model"] },
    context_schema: { type: "object", properties: { model: { type: "string" } } },
  });
});

test.each(["schema", "zodMessages", "annotated"])("messages of %s are a list of messages", async (graph) => {
  const { input_schema, output_schema, state_schema, config_schema } = await schemasOf(graph);
  for (const schema of [input_schema, output_schema, state_schema]) {
    expect(schema).toMatchObject({
      type: "object",
      properties: {
        messages: { type: "array", langgraph_type: "messages", items: { $ref: "#/$defs/BaseMessage" } },
      },
      $defs: { BaseMessage: { type: "object", required: ["content"] } },
    });
  }
  expect(config_schema).toBeNull();
});

test("a StateSchema keeps its other fields", async () => {
  expect((await schemasOf("schema")).state_schema).toMatchObject({ properties: { n: { type: "number", default: 0 } } });
});

test.each(["drawing", "schemas"] as const)("a graph that cannot be made is an answer without a %s", async (what) => {
  expect(await describeGraph("undrawable", what)).toMatchObject({
    error: { error: "RangeError", message: "no graph today" },
  });
  expect(await describeGraph("unknown", what)).toMatchObject({
    error: { error: "GraphLoadError", message: "There is no graph unknown" },
  });
});
