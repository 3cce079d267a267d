/** Graphs that emit many small events, so that a reader can leave in the middle. */
import { setTimeout as pause } from "node:timers/promises";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const single = (run) =>
  new StateGraph(MessagesAnnotation).addNode("node", run).addEdge(START, "node").addEdge("node", END).compile();

/** Characters of one to four bytes, each a token. */
const text = Array.from({ length: 25 }, (_, n) => `${n} – é 字 🙂`).join(" ");

export const words = single(async ({ messages }) => {
  const model = new FakeListChatModel({ responses: [text], sleep: 0 });
  let told = 0;
  model._sleep = async () => void (++told % 20 === 0 && (await pause(1)));
  return { messages: [await model.invoke(messages)] };
});

/** Emits more than the server keeps of a run in memory. */
export const bulky = single(async (_state, { writer }) => {
  for (let piece = 0; piece < 10; piece++) {
    writer({ piece, text: `${piece}é`.repeat(15_000) });
    await pause(1);
  }
  return {};
});
