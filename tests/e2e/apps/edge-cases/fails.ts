import { FakeListChatModel } from "@langchain/core/utils/testing";
import { END, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";

const State = new StateSchema({ messages: MessagesValue });

const model = new FakeListChatModel({ responses: ["Let me try."] });

export const graph = new StateGraph(State)
  .addNode("try", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addNode("fail", async () => {
    // Without the wait, the error would arrive before the tokens.
    await new Promise((later) => setTimeout(later, 200));
    throw new RangeError("value 12 is out of range");
  })
  .addEdge(START, "try")
  .addEdge("try", "fail")
  .addEdge("fail", END)
  .compile();
