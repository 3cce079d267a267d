// The last LangGraph whose interrupts have no ids, and do not appear in the values of a stream.
import { AIMessage } from "@langchain/core/messages";
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

export const asks = new StateGraph(MessagesAnnotation)
  .addNode("ask", () => {
    const name = interrupt({ question: "What is your name?" });
    const colour = interrupt({ question: "Which colour?", schema: { enum: ["red", "blue"] } });
    return { messages: [new AIMessage(`${name} likes ${colour}`)] };
  })
  .addEdge(START, "ask")
  .addEdge("ask", END)
  .compile();
