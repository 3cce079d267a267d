import { FakeListChatModel } from "@langchain/core/utils/testing";
import { END, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";

const State = new StateSchema({ messages: MessagesValue });

const model = new FakeListChatModel({ responses: ["counting ".repeat(400)], sleep: 15 });

export const graph = new StateGraph(State)
  .addNode("count", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addEdge(START, "count")
  .addEdge("count", END)
  .compile();
