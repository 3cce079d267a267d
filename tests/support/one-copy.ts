/** A graph that reports which copies of LangGraph its process has loaded. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { type StartOptions, startWorker } from "./worker-process.ts";

/**
 * Reports which scripts of the packages the process has loaded, and whether classes are identical by `import` and
 * `require`.
 */
const GRAPH = `
import inspector from "node:inspector";
import { Annotation, StateGraph } from "@langchain/langgraph";
import { AIMessage } from "@langchain/core/messages";
import { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import helper from "HELPER";
function scripts(): string[] {
  const session = new inspector.Session();
  const urls: string[] = [];
  session.connect();
  session.on("Debugger.scriptParsed", ({ params }) => urls.push(params.url));
  session.post("Debugger.enable");
  session.disconnect();
  return urls.filter((url) => /@langchain\\/(?:core|langgraph|langgraph-checkpoint)\\//.test(url));
}
export const graph = new StateGraph(Annotation.Root({ facts: Annotation<any>() }))
  .addNode("tell", (_state: unknown, config: any) => ({
    facts: {
      scripts: scripts(),
      sameMessages: helper.messages.AIMessage === AIMessage,
      sameGraphs: helper.langgraph.StateGraph === StateGraph,
      isSaver: config.configurable.__pregel_checkpointer instanceof BaseCheckpointSaver,
    },
  }))
  .addEdge("__start__", "tell")
  .compile();
`;
/** A CommonJS module that requires the packages which the graph imports. */
export const HELPER = `
exports.langgraph = require("@langchain/langgraph");
exports.messages = require("@langchain/core/messages");
`;

export interface Facts {
  scripts: string[];
  sameMessages: boolean;
  sameGraphs: boolean;
  isSaver: boolean;
}

/**
 * Writes the graph into a folder of an application and runs it in a worker. `helper` is the specifier by which it
 * imports `HELPER`.
 */
export async function factsOf(
  app: string,
  helper: string,
  folder = ".",
  more: Partial<StartOptions> = {},
): Promise<Facts> {
  writeFileSync(join(app, folder, "graph.ts"), GRAPH.replace("HELPER", helper));
  const worker = await startWorker({ app, graphs: { graph: `./${folder}/graph.ts:graph` }, ...more });
  expect(worker.ready.graphs).toEqual([{ graph: "graph" }]);
  const { events, error } = await worker.run({ graph: "graph", input: { facts: {} } });
  expect(error).toBeUndefined();
  await worker.kill();
  const state = events.at(-1)?.data as { facts: Facts };
  return state.facts;
}

/** Expects that every script comes from one folder and is loaded once, not as an ES module and a CommonJS one. */
export function expectOneCopy({ scripts, sameMessages, sameGraphs, isSaver }: Facts, modules: string): void {
  expect({ sameMessages, sameGraphs, isSaver }).toEqual({ sameMessages: true, sameGraphs: true, isSaver: true });
  expect(scripts.length).toBeGreaterThan(100);
  expect(new Set(scripts.map((url) => fileURLToPath(url).split("/@langchain/")[0]))).toEqual(new Set([modules]));
  expect(scripts.filter((url) => url.endsWith(".cjs"))).toEqual([]);
  expect(new Set(scripts).size).toBe(scripts.length);
}
