// An agent whose model is scripted: it searches once for every question, and then answers.
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { FakeStreamingChatModel } from "@langchain/core/utils/testing";
import { END, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { z } from "zod";

const State = new StateSchema({ messages: MessagesValue, topic: z.string().optional() });

const searchDocs = tool(({ q }) => `Two documents tell of ${q}.`, {
  name: "search_docs",
  description: "Searches the documentation.",
  schema: z.object({ q: z.string() }),
});

const lastText = (messages: BaseMessage[]) => messages.at(-1)?.text ?? "";

async function answer({ messages }: typeof State.State) {
  const model = new FakeStreamingChatModel({ responses: [new AIMessage(`It is settled: ${lastText(messages)}`)] });
  return { messages: [await model.invoke(messages)] };
}

export const agent = new StateGraph(State)
  .addNode("triage", ({ messages }) => ({ topic: lastText(messages).slice(0, 40) }))
  .addNode("model", ({ messages, topic }) => {
    if (messages.at(-1)?.type === "tool") return { messages: [new AIMessage("Found it.")] };
    const call = { id: `call-${messages.length}`, name: "search_docs", args: { q: topic ?? "" } };
    return { messages: [new AIMessage({ content: "", tool_calls: [call] })] };
  })
  .addNode("tools", new ToolNode([searchDocs], { name: "tools" }))
  .addNode("answer", answer)
  .addEdge(START, "triage")
  .addEdge("triage", "model")
  .addConditionalEdges(
    "model",
    ({ messages }) => (AIMessage.isInstance(messages.at(-1)) && messages.at(-1)?.text === "" ? "tools" : "done"),
    {
      tools: "tools",
      done: "answer",
    },
  )
  .addEdge("tools", "model")
  .addEdge("answer", END)
  .compile();
