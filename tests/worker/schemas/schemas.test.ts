import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { GraphSchemas, SubgraphSchemas } from "../../../lib/protocol/assistants.ts";
import { staticTypes } from "../../../lib/worker/schemas/static.ts";
import { apps, killWorkers, startWorker, type WorkerProcess } from "../../support/worker-process.ts";

let worker: WorkerProcess;
const names = ["compiled", "uncompiled", "promised", "factory", "wrapped", "family", "odd", "functional"];
beforeAll(async () => {
  worker = await startWorker({
    app: "typed",
    graphs: {
      ...Object.fromEntries(names.map((name) => [name, `graphs.ts:${name}`])),
      bare: "script.js:graph",
      common: "common.cjs:graph",
      whole: "nodes.ts:whole",
    },
  });
});
afterAll(killWorkers);

let questions = 0;
async function schemasOf(graph: string): Promise<GraphSchemas> {
  const id = ++questions;
  worker.send({ type: "describe", id, graph, what: "schemas", typed: "all" });
  const line = await worker.line("described", (one) => one.id === id);
  if (!("schemas" in line)) throw new Error(JSON.stringify(line));
  return line.schemas;
}
async function subgraphsOf(graph: string, recurse: boolean, namespace?: string) {
  const id = ++questions;
  worker.send({ type: "describe", id, graph, what: "subgraphs", recurse, namespace });
  const line = await worker.line("described", (one) => one.id === id);
  return "subgraphs" in line ? line.subgraphs : undefined;
}

const messages = expect.objectContaining({
  type: "array",
  langgraph_type: "messages",
  items: { $ref: "#/$defs/BaseMessage" },
});
const $schema = "https://json-schema.org/draft/2020-12/schema";
const text = { type: "string" };
const mood = { type: "string", enum: ["calm", "busy"] };

test("the types of annotations become the schemas of state, input, output and context", async () => {
  const schemas = await schemasOf("compiled");
  expect(schemas.input_schema).toEqual({ $schema, type: "object", properties: { question: text, mood } });
  expect(schemas.output_schema).toEqual({
    $schema,
    type: "object",
    properties: { sources: { type: "array", items: text } },
    required: ["sources"],
  });
  expect(schemas.context_schema).toEqual({
    $schema,
    type: "object",
    properties: { tone: { type: "string", enum: ["warm", "dry"] }, limit: { type: "number" } },
    required: ["tone"],
  });
  expect(schemas.config_schema).toEqual(schemas.context_schema);
  expect(schemas.state_schema).toMatchObject({
    properties: {
      messages,
      question: { ...text, description: "What to find out." },
      mood,
      level: { anyOf: [{ type: "number", enum: [1, 2] }, { type: "null" }] },
      score: { type: "number" },
      sources: { type: "array", items: text },
      plan: { $ref: "#/$defs/Plan" },
      since: { type: "string", format: "date-time" },
      counts: { type: "object", additionalProperties: { type: "number" } },
      totals: { type: "object", additionalProperties: { type: "number" } },
      pair: { type: "array", prefixItems: [text, { type: "number" }], minItems: 1, maxItems: 2 },
      notes: messages,
      last: { anyOf: [{ $ref: "#/$defs/BaseMessage" }, { type: "null" }] },
      whatever: {},
    },
    required: expect.not.arrayContaining(["score", "whatever"]),
    $defs: {
      Plan: {
        properties: {
          steps: {
            items: {
              anyOf: [
                { properties: { kind: { const: "search" }, query: text } },
                { properties: { kind: { const: "wait" }, seconds: { type: "number" } } },
              ],
            },
          },
          after: { $ref: "#/$defs/Plan" },
        },
        required: ["title", "steps"],
      },
    },
  });
});

test.each(["uncompiled", "promised", "factory", "wrapped"])(
  "a graph that is %s has the same schemas",
  async (graph) => {
    expect(await schemasOf(graph)).toEqual({ ...(await schemasOf("compiled")), graph_id: graph });
  },
);

test("types without a JSON form, or without an end, yield less specific schemas", async () => {
  const { state_schema } = await schemasOf("odd");
  expect(state_schema).toMatchObject({
    properties: {
      loose: { type: "object", properties: { id: { type: "string" } } },
      account: { type: "object", properties: { name: text }, required: ["name"] },
      branded: text,
      endless: { type: "object", properties: { value: text } },
      call: {},
      bytes: { type: "string", contentEncoding: "base64" },
      none: {},
    },
  });
  expect(JSON.stringify(state_schema)).not.toContain("secret");
});

test("a graph written as a function has schemas of its input and output", async () => {
  expect(await schemasOf("functional")).toMatchObject({
    input_schema: { properties: { city: text, days: { type: "number" } }, required: ["city"] },
    output_schema: { properties: { forecast: text }, required: ["forecast"] },
    state_schema: null,
    context_schema: null,
  });
});

test.each(["bare", "common"])("plain JavaScript yields the names of its channels (%s)", async (graph) => {
  const { input_schema, state_schema, context_schema } = await schemasOf(graph);
  for (const schema of [input_schema, state_schema]) {
    expect(schema).toMatchObject({ type: "object", properties: { messages, topic: {} } });
  }
  expect(context_schema).toBeNull();
});

test("reading types holds up nothing else in the process", async () => {
  const other = await startWorker({ app: "typed", graphs: { compiled: "graphs.ts:compiled" } });
  other.send({ type: "describe", id: 1, graph: "compiled", what: "schemas", typed: "all" });
  await other.run({ graph: "compiled", input: { question: "?" } });
  expect(other.lines.map((line) => line.type)).not.toContain("described");
  await other.line("described");
});

test("concurrent requests get the same answer", async () => {
  const [first, second] = await Promise.all([schemasOf("family"), schemasOf("family")]);
  expect(second).toEqual(first);
});

test("types that take too long to read, or cannot be read, yield no schemas", async () => {
  const file = join(apps, "typed/graphs.ts");
  const hasty = staticTypes([], undefined, 1);
  expect(await hasty(file, "compiled")).toEqual({});
  expect(await hasty(file, "compiled")).toEqual({});
  const patient = staticTypes([]);
  const requests = ["nothing.ts", "package.json", "plan.ts"].map((name) => patient(join(apps, "typed", name), "graph"));
  expect(await Promise.all(requests)).toEqual([{}, {}, {}]);
  expect(await patient(file, "functional")).toMatchObject({ input: { required: ["city"] } });
});

test("subgraphs report their channels under both sets of names, at the requested depth", async () => {
  const all = await subgraphsOf("family", true);
  expect(Object.keys(all ?? {})).toEqual(["middle", "middle|inner", "middling"]);
  expect(Object.keys((await subgraphsOf("family", false)) ?? {})).toEqual(["middle", "middling"]);
  const inner = (all as Record<string, SubgraphSchemas>)["middle|inner"];
  expect(inner).toMatchObject({
    input_schema: { properties: { messages, question: text, mood } },
    context_schema: null,
  });
  expect(inner).toMatchObject({
    state: inner?.state_schema,
    input: inner?.input_schema,
    output: inner?.output_schema,
    config: null,
  });
});

test("a graph that is a node has the types of its own source, however its builder takes it", async () => {
  const leaf = { properties: { count: { type: "number" }, left: text } };
  const inside = (await subgraphsOf("whole", true)) as Record<string, SubgraphSchemas>;
  expect(Object.keys(inside).toSorted()).toEqual(["calls", "first", "later", "listed"]);
  for (const name of ["first", "listed", "calls"]) expect(inside[name]?.state_schema).toMatchObject(leaf);
  expect(inside.later).toMatchObject({ input_schema: { properties: { question: text, mood } } });
});

test("every schema is self-contained, and accepts what LangGraph accepts as messages", async () => {
  const schemas = [...Object.values(await schemasOf("compiled")), ...Object.values(await schemasOf("bare"))];
  const objects = schemas.filter((one) => typeof one === "object" && one !== null);
  expect(objects.length).toBeGreaterThan(6);
  for (const schema of objects) {
    const valid = new Ajv2020({ strict: false, validateFormats: false }).compile({ ...schema, required: [] });
    expect(schema).toMatchObject({ $schema });
    if (!JSON.stringify(schema).includes('"messages":')) continue;
    expect(valid({ messages: [{ role: "user", content: "hi" }] })).toBe(true);
    expect(valid({ messages: [{ role: "user" }] })).toBe(false);
  }
});

test("a namespace selects one subgraph, with or without the task ids of events", async () => {
  for (const namespace of ["middle|inner", "middle:0a1b|inner:2c3d"]) {
    expect(Object.keys((await subgraphsOf("family", false, namespace)) ?? {})).toEqual(["middle|inner"]);
  }
  expect(await subgraphsOf("family", true, "middl")).toEqual({});
  expect(await subgraphsOf("compiled", true)).toEqual({});
});
