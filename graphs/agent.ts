// Runs a ReAct loop: the model answers, or calls tools and reads their results before it goes on.
import { AIMessage, SystemMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { END, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createModel } from "./model.ts";
import { calculate } from "./tools/calculate.ts";
import { convertUnits } from "./tools/convert-units.ts";
import { currentTime } from "./tools/current-time.ts";
import { searchDocs } from "./tools/search-docs.ts";

const State = new StateSchema({ messages: MessagesValue });

const tools = [calculate, currentTime, convertUnits, searchDocs];

const instructions = new SystemMessage(
  "You are the assistant of a Graphlib server, which hosts agents written as graphs. Use the tools for arithmetic, " +
    "time, unit conversions and for every question about Graphlib itself; name the file when you quote its " +
    "documentation. When a tool cannot help, say so. Be brief and answer in Markdown.",
);

async function callModel({ messages }: typeof State.State, config: RunnableConfig) {
  const model = await createModel();
  const reply = await model.bindTools(tools).invoke([instructions, ...messages], config);
  return { messages: [reply] };
}

function nextStep({ messages }: typeof State.State): "use tools" | "answer" {
  const last = messages.at(-1);
  return AIMessage.isInstance(last) && last.tool_calls?.length ? "use tools" : "answer";
}

export const graph = new StateGraph(State)
  .addNode("model", callModel)
  .addNode("tools", new ToolNode(tools, { name: "tools" }))
  .addEdge(START, "model")
  .addConditionalEdges("model", nextStep, { "use tools": "tools", answer: END })
  .addEdge("tools", "model")
  .compile();
