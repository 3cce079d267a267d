import { AIMessage } from "@langchain/core/messages";
import { readContent } from "./offline/attachments.ts";
import { END, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";

const State = new StateSchema({ messages: MessagesValue });

function echo({ messages }: typeof State.State) {
  const { question, attachments } = readContent(messages.at(-1)?.content ?? "");
  const files = attachments.map((one) => `- ${one}`).join("\n");
  return { messages: [new AIMessage([question, files].filter((part) => part !== "").join("\n\n"))] };
}

export const graph = new StateGraph(State).addNode("echo", echo).addEdge(START, "echo").addEdge("echo", END).compile();
