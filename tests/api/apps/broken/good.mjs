import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("node", () => ({ messages: [{ role: "assistant", content: "fine" }] }))
  .addEdge(START, "node")
  .addEdge("node", END)
  .compile();
