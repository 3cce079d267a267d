import { Annotation, StateGraph } from "@langchain/langgraph";

export const State = Annotation.Root({ said: Annotation() });
export const builder = () =>
  new StateGraph(State).addNode("say", () => ({ said: "hello" })).addEdge("__start__", "say");
