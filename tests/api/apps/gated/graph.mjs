import { setTimeout as pause } from "node:timers/promises";
import { AIMessage } from "@langchain/core/messages";
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const say = (text) => ({ messages: [new AIMessage(text)] });

const wait = async (_, { store, configurable, signal }) => {
  while (!(await store.get(["gates"], configurable.thread_id))) await pause(20, undefined, { signal });
  return say("open");
};

/** Waits until the gate is open. */
export const calm = new StateGraph(MessagesAnnotation)
  .addNode("wait", wait)
  .addEdge(START, "wait")
  .addEdge("wait", END)
  .compile();

/** Asks a question, and in parallel waits until the store has the gate of its thread. */
export const graph = new StateGraph(MessagesAnnotation)
  .addNode("ask", () => say(`told: ${interrupt("what?")}`))
  .addNode("wait", wait)
  .addEdge(START, "ask")
  .addEdge(START, "wait")
  .addEdge("ask", END)
  .addEdge("wait", END)
  .compile();

/** Asks two questions one after the other, in one node. */
export const twice = new StateGraph(MessagesAnnotation)
  .addNode("ask", () => say(`${interrupt("first?")} ${interrupt("second?")}`))
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile();

/** Asks two questions at once. */
export const both = new StateGraph(MessagesAnnotation)
  .addNode("left", () => say(interrupt("left?")))
  .addNode("right", () => say(interrupt("right?")))
  .addEdge(START, "left")
  .addEdge(START, "right")
  .compile();
