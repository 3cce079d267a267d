import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ configurable: Annotation() });

/** Returns the configurable it was called with. */
export const graph = new StateGraph(State)
  .addNode("tell", (_, { configurable }) => ({
    configurable: Object.fromEntries(Object.entries(configurable).filter(([key]) => !key.startsWith("__"))),
  }))
  .addEdge(START, "tell")
  .addEdge("tell", END)
  .compile();
