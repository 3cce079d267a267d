import { Annotation, StateGraph } from "@langchain/langgraph";
import { next } from "@acme/shared";

const State = Annotation.Root({ n: Annotation<number> });

export const graph = new StateGraph(State)
  .addNode("count", ({ n }) => ({ n: next(n) }))
  .addEdge("__start__", "count")
  .compile();
