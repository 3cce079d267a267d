import { FakeListChatModel } from "@langchain/core/utils/testing";
import { END, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";

const State = new StateSchema({ messages: MessagesValue });

const words = Array.from({ length: 300 }, (_, index) => `word-${index} `).join("");

export const graph = new StateGraph(State)
  .addNode("count", async ({ messages }) => {
    const model = new FakeListChatModel({ responses: [words], sleep: 3 });
    return { messages: [await model.invoke(messages)] };
  })
  .addEdge(START, "count")
  .addEdge("count", END)
  .compile();
