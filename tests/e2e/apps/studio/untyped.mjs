// A graph in plain JavaScript, whose state has no types.
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

export const untyped = new StateGraph(Annotation.Root({ anything: Annotation() }))
  .addNode("pass", ({ anything }) => ({ anything: [anything, typeof anything] }))
  .addEdge(START, "pass")
  .addEdge("pass", END)
  .compile();
