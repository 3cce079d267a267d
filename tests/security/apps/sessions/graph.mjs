import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

export const graph = new StateGraph(Annotation.Root({ word: Annotation() }))
  .addNode("echo", ({ word }) => ({ word }))
  .addEdge(START, "echo")
  .addEdge("echo", END)
  .compile();
