import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("say", () => ({ messages: [new AIMessage("hi")] }))
  .addEdge(START, "say")
  .addEdge("say", END)
  .compile();
