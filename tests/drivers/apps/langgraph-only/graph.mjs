import { Annotation, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ said: Annotation() });

export const graph = new StateGraph(State)
  .addNode("echo", ({ said }) => ({ said }))
  .addEdge("__start__", "echo")
  .compile();
