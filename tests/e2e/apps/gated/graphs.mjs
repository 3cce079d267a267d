import { FakeListChatModel } from "@langchain/core/utils/testing";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { allowed } from "./gates.mjs";

const single = (run) =>
  new StateGraph(MessagesAnnotation).addNode("node", run).addEdge(START, "node").addEdge("node", END).compile();

/** Outputs the alphabet, each letter as a token, as far as its gate is open. */
export const letters = single(async ({ messages }, { configurable, signal }) => {
  let count = 0;
  const model = new FakeListChatModel({ responses: ["abcdefghijklmnopqrstuvwxyz"], sleep: 0 });
  model._sleep = () => allowed(configurable.thread_id, ++count, signal);
  return { messages: [await model.invoke(messages)] };
});

export const fails = single(() => {
  throw new RangeError("kaput");
});
