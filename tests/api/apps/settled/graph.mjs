import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ text: Annotation(), by: Annotation() });

export const graph = new StateGraph(State)
  .addNode("tell", (_, { configurable }) => ({ by: configurable.langgraph_auth_user?.kind ?? "nobody" }))
  .addEdge(START, "tell")
  .addEdge("tell", END)
  .compile();
