import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GraphDrawing } from "../../../lib/protocol/assistants.ts";
import { type NodeInfo, readNodeInfo } from "../../../lib/protocol/node-info.ts";
import { writeCompiled } from "../../../lib/worker/modules/compiled.ts";
import { compileSource } from "../../../lib/worker/modules/compiler.ts";
import { killWorkers, startWorker, type WorkerProcess } from "../../support/worker-process.ts";

const studio = resolve(import.meta.dirname, "../../e2e/apps/studio");
let worker: WorkerProcess;
beforeAll(async () => {
  const config: { graphs: Record<string, string | { path: string }> } = JSON.parse(
    readFileSync(`${studio}/graphlib.json`, "utf8"),
  );
  const graphs = Object.entries(config.graphs).map(([id, entry]) => [
    id,
    typeof entry === "string" ? entry : entry.path,
  ]);
  worker = await startWorker({ app: studio, graphs: Object.fromEntries(graphs) });
});
const compiled = mkdtempSync(join(tmpdir(), "graphlib-ahead-"));
afterAll(() => {
  killWorkers();
  rmSync(compiled, { recursive: true });
});

let requests = 0;
async function infosOf(graph: string, xray: boolean, from = worker): Promise<Record<string, NodeInfo | undefined>> {
  const id = ++requests;
  from.send({ type: "describe", id, graph, what: "drawing", xray });
  const line = await from.line("described", (one) => one.id === id);
  const drawing = GraphDrawing.parse("drawing" in line ? line.drawing : line);
  return Object.fromEntries(drawing.nodes.map((node) => [node.id, readNodeInfo(node.metadata)]));
}

/** Returns the number of the first line of a file that has this text. */
function lineWith(file: string, text: string): number {
  return (
    readFileSync(`${studio}/${file}`, "utf8")
      .split("\n")
      .findIndex((line) => line.includes(text)) + 1
  );
}

test("a node tells in which file and line of the TypeScript its function is", async () => {
  const { triage, answer } = await infosOf("agent", false);
  expect(triage).toEqual({
    kind: "node",
    source: { file: "agent.ts", line: lineWith("agent.ts", `.addNode("triage"`) },
  });
  expect(answer?.source).toEqual({ file: "agent.ts", line: lineWith("agent.ts", "async function answer") });
});

test("the line is that of the TypeScript, also if it was compiled ahead", async () => {
  const path = `${studio}/times.ts`;
  const source = readFileSync(path, "utf8");
  writeCompiled(compiled, [{ path, source, compiled: compileSource(path, source) }]);
  const ahead = await startWorker({ app: studio, graphs: { slow: "times.ts:slow" }, compiled });
  const { wait } = await infosOf("slow", false, ahead);
  expect(wait?.source).toEqual({ file: "times.ts", line: lineWith("times.ts", "async function wait") });
});

test("a node of plain JavaScript tells its line too", async () => {
  const { pass } = await infosOf("untyped", false);
  expect(pass?.source).toEqual({ file: "untyped.mjs", line: lineWith("untyped.mjs", `.addNode("pass"`) });
});

test("a function whose text stands in two places has no source", async () => {
  expect((await infosOf("hostile", false))[" "]).toEqual({ kind: "node" });
});

test("a node of tools lists them", async () => {
  const { tools } = await infosOf("agent", false);
  expect(tools).toEqual({
    kind: "tools",
    tools: [{ name: "search_docs", description: "Searches the documentation." }],
  });
});

test("a retry policy is told as far as it is set", async () => {
  const flaky = await infosOf("flaky", false);
  expect(flaky.try?.retry).toEqual({ max_attempts: 3, initial_interval: 20, backoff_factor: 1, jitter: false });
  expect(flaky.begin).not.toHaveProperty("retry");
});

test("a subgraph is marked, and nodes inside of it are told of with xray", async () => {
  expect((await infosOf("nested", false)).child).toEqual({ kind: "subgraph" });
  const inside = await infosOf("nested", true);
  expect(inside["child:inner:read"]?.source).toEqual({
    file: "shapes.ts",
    line: lineWith("shapes.ts", "const step ="),
  });
  expect(inside["child:__start__"]).toBeUndefined();
});

test("a graph of the functional API is drawn, without anything told of its nodes", async () => {
  expect(Object.values(await infosOf("sum", true)).every((info) => info === undefined)).toBe(true);
});

test("only start and end of a large graph are told nothing of", async () => {
  const infos = await infosOf("big", true);
  expect(Object.keys(infos)).toHaveLength(502);
  expect(Object.entries(infos).flatMap(([id, info]) => (info ? [] : [id]))).toEqual(["__start__", "__end__"]);
});
