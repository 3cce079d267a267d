import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

/** Greets the authenticated user. */
export const graph = new StateGraph(MessagesAnnotation)
  .addNode("greet", (_, { configurable }) => {
    const user = configurable?.langgraph_auth_user as { identity: string; kind?: string } | undefined;
    return { messages: [new AIMessage(`Hello ${user?.identity ?? "operator"}, ${user?.kind ?? "a user"}`)] };
  })
  .addEdge(START, "greet")
  .addEdge("greet", END)
  .compile();
