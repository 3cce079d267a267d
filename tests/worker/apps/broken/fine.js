import { Annotation, StateGraph } from "@langchain/langgraph";
export const graph = new StateGraph(Annotation.Root({ n: Annotation() })).addNode("a", () => ({ n: 1 })).addEdge("__start__", "a").compile();
