/** Small graphs, one for each kind of conversation. */
import { AIMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const single = (run) =>
  new StateGraph(MessagesAnnotation).addNode("node", run).addEdge(START, "node").addEdge("node", END).compile();

/** Replies with the number of the question and its text. */
export const echo = single(({ messages }) => {
  const questions = messages.filter((message) => message.getType() === "human");
  return { messages: [new AIMessage(`${questions.length}: ${questions.at(-1).text}`)] };
});

const words = Array.from({ length: 60 }, (_, number) => `${number} `).join("");

/** Streams the numbers up to 59, a character at a time. */
export const slow = single(async ({ messages }) => {
  const model = new FakeListChatModel({ responses: [words], sleep: 10 });
  return { messages: [await model.invoke(messages)] };
});

export const asks = single(() => ({ messages: [new AIMessage(`You said ${interrupt("How old?")}`)] }));

export const fails = single(() => {
  throw new RangeError("out of range");
});
