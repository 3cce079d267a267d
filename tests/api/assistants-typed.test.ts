import { resolve } from "node:path";
import { Client, type GraphSchema } from "@langchain/langgraph-sdk";
import { beforeAll, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";

/** An application in TypeScript whose state is declared by plain annotations. */
const typed = useServer({ app: resolve(import.meta.dirname, "../worker/apps/typed") });
let assistants: Client["assistants"];
beforeAll(() => {
  assistants = new Client({ apiUrl: typed.url, apiKey: null }).assistants;
});

test("state that is declared by plain annotations has schemas", async () => {
  const { input_schema, context_schema, ...others } = await assistants.getSchemas("research");
  expect(input_schema).toMatchObject({
    properties: { question: { type: "string" }, mood: { enum: ["calm", "busy"] } },
  });
  expect(context_schema).toMatchObject({ properties: { tone: { enum: ["warm", "dry"] } }, required: ["tone"] });
  expect(others).toMatchObject({
    graph_id: "research",
    output_schema: { properties: { sources: { type: "array" } } },
    state_schema: { properties: { messages: { type: "array", langgraph_type: "messages" } } },
    config_schema: context_schema,
  });
});

test("all subgraphs are listed, or one of them", async () => {
  const all = await assistants.getSubgraphs("family", { recurse: true });
  expect(Object.keys(all)).toEqual(["middle", "middle|inner", "middling"]);
  expect(Object.keys(await assistants.getSubgraphs("family"))).toEqual(["middle", "middling"]);
  const one = await assistants.getSubgraphs("family", { namespace: "middle|inner", recurse: true });
  expect(one).toEqual({ "middle|inner": all["middle|inner"] });
  const inner: GraphSchema | undefined = one["middle|inner"];
  expect(inner?.input_schema).toMatchObject({
    properties: { question: { type: "string" }, messages: { type: "array" } },
  });
  expect(inner).toMatchObject({ state: inner?.state_schema, input: inner?.input_schema });
  expect(await assistants.getSubgraphs("family", { namespace: "nothing" })).toEqual({});
  expect(await assistants.getSubgraphs("research")).toEqual({});
});

test("a drawing is as deep as xray says", async () => {
  const nodes = async (xray?: boolean | number) =>
    (await assistants.getGraph("family", { xray })).nodes.map((node) => String(node.id)).toSorted();
  expect(await nodes()).toEqual(["__end__", "__start__", "chat", "middle", "middling"]);
  expect(await nodes(false)).toEqual(await nodes());
  const outer = ["__end__", "__start__", "chat", "middle:first", "middling:rest", "middling:work"];
  expect(await nodes(1)).toEqual([...outer, "middle:inner"].toSorted());
  expect(await nodes(2)).toEqual([...outer, "middle:inner:rest", "middle:inner:work"].toSorted());
  expect(await nodes(true)).toEqual(await nodes(2));
  expect(await nodes(0)).toEqual(await nodes());
});
