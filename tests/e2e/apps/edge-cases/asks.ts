import { AIMessage } from "@langchain/core/messages";
import { END, interrupt, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";

const State = new StateSchema({ messages: MessagesValue });

export const graph = new StateGraph(State)
  .addNode("ask", () => ({ messages: [new AIMessage(`You said ${String(interrupt("How old are you?"))}`)] }))
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile();
