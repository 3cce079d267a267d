import { AIMessage } from "@langchain/core/messages";
import { END, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";

const State = new StateSchema({ messages: MessagesValue });

function echo({ messages }: typeof State.State) {
  return { messages: [new AIMessage(messages.at(-1)?.text ?? "")] };
}

export const graph = new StateGraph(State).addNode("echo", echo).addEdge(START, "echo").addEdge("echo", END).compile();
