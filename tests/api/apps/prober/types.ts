import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ mood: Annotation<"calm" | "busy"> });

export const graph = new StateGraph(State)
  .addNode("stay", () => ({}))
  .addEdge(START, "stay")
  .addEdge("stay", END)
  .compile();
