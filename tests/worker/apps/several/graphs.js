import { setTimeout as sleep } from "node:timers/promises";
import { Annotation, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ pid: Annotation() });
const one = (node) => new StateGraph(State).addNode("node", node).addEdge("__start__", "node").compile();

/** Returns the id of the process that executes it. */
export const where = one(() => ({ pid: process.pid }));

/** Emits the id of the process, and runs until it is cancelled. */
export const holds = one(async (_state, config) => {
  config.writer?.({ pid: process.pid });
  await sleep(600_000, undefined, { signal: config.signal });
  return {};
});
