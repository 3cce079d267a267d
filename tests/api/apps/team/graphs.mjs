/** A graph with events for every projection of a stream, and one that asks in several places. */
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import * as z from "zod";

const graph = () => new StateGraph(MessagesAnnotation);

/** Emits a text, character by character. */
const saying = (text) => {
  const model = new FakeListChatModel({ responses: [text], sleep: 1 });
  return async ({ messages }) => ({ messages: [await model.invoke(messages)] });
};

const numbers = { schema: z.object({ a: z.number(), b: z.number() }) };
const add = tool(({ a, b }) => String(a + b), { name: "add", ...numbers });
const divide = tool(
  ({ b }) => {
    throw new RangeError(`nothing can be divided by ${b}`);
  },
  { name: "divide", ...numbers },
);

const callTools = (_state, { writer }) => {
  writer({ name: "own", payload: { step: 1 } });
  const calls = [add, divide].map(({ name }) => ({ id: `call-${name}`, name, args: { a: 1, b: 0 } }));
  return { messages: [new AIMessage({ content: "", tool_calls: calls })] };
};

const deepest = graph().addNode("deepest", saying("from deepest")).addEdge(START, "deepest").compile();
const helper = graph()
  .addNode("deeper", saying("from deeper"))
  .addNode("below", deepest)
  .addEdge(START, "deeper")
  .addEdge("deeper", "below")
  .compile();

/** Runs two models at once, a graph inside of a graph, and tools of which one fails. It fails itself when asked to. */
export const team = graph()
  .addNode("left", saying("from left"))
  .addNode("right", saying("from right"))
  .addNode("helper", helper)
  .addNode("call", callTools)
  .addNode("tools", new ToolNode([add, divide]))
  .addNode("last", ({ messages }) => {
    if (messages.some(({ text }) => text === "break")) throw new Error("broken as asked");
    return {};
  })
  .addEdge(START, "left")
  .addEdge(START, "right")
  .addEdge(["left", "right"], "helper")
  .addEdge("helper", "call")
  .addEdge("call", "tools")
  .addEdge("tools", "last")
  .addEdge("last", END)
  .compile();

const asking = (question) => () => ({ messages: [new AIMessage(`${question} ${interrupt({ question })}`)] });
const inside = graph()
  .addNode("first", asking("first?"))
  .addNode("second", asking("second?"))
  .addEdge(START, "first")
  .addEdge("first", "second")
  .compile();

/** Asks two questions at once, one of them in a subgraph, which asks another one afterwards. */
export const asks = graph()
  .addNode("inside", inside)
  .addNode("beside", asking("beside?"))
  .addEdge(START, "inside")
  .addEdge(START, "beside")
  .compile();
