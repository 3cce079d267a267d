import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { shout } from "./shout.js";

const answer = (messages: BaseMessage[]) => new AIMessage(shout(messages.at(-1)?.text ?? "nothing"));

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("answer", ({ messages }) => ({ messages: [answer(messages)] }))
  .addEdge("__start__", "answer")
  .compile();
