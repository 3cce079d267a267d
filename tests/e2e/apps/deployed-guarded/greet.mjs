import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("greet", (_, { configurable }) => ({
    messages: [new AIMessage(`Hello ${configurable?.langgraph_auth_user?.identity}`)],
  }))
  .addEdge(START, "greet")
  .addEdge("greet", END)
  .compile();
