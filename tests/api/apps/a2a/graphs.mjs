/** Small graphs, one for each kind of reply that an A2A client may get. */
import { setTimeout as pause } from "node:timers/promises";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Annotation, END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import * as z from "zod";

const single = (run, state = MessagesAnnotation) =>
  new StateGraph(state).addNode("node", run).addEdge(START, "node").addEdge("node", END).compile();

export const reply = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
const model = new FakeListChatModel({ responses: [reply] });
export const words = single(async ({ messages }) => ({ messages: [await model.invoke(messages)] }));

/** Speaks, uses a tool, and speaks again. */
export const loop = new StateGraph(MessagesAnnotation)
  .addNode("model", ({ messages }) => {
    const done = messages.some((message) => message.getType() === "tool");
    const call = { id: "call", name: "look", args: {} };
    return {
      messages: [done ? new AIMessage("It is 4.") : new AIMessage({ content: "Let me look.", tool_calls: [call] })],
    };
  })
  .addNode("tools", () => ({ messages: [new ToolMessage({ content: "4", tool_call_id: "call" })] }))
  .addEdge(START, "model")
  .addConditionalEdges("model", ({ messages }) => (messages.at(-1).tool_calls?.length ? "tools" : END), ["tools", END])
  .addEdge("tools", "model")
  .compile();

const Form = z.object({ city: z.string(), country: z.string(), greeting: z.string().optional() });
export const form = single(({ city, country }) => ({ greeting: `Hello ${city}, ${country}` }), Form);

const Topic = z.object({ topic: z.string() });
export const topic = new StateGraph({ state: Topic.extend({ title: z.string().optional() }), input: Topic })
  .addNode("node", (state) => ({ title: state.topic.toUpperCase() }))
  .addEdge(START, "node")
  .addEdge("node", END)
  .compile();

/** Of its state only the names of its keys are known. */
export const untyped = single(({ n }) => ({ n: n + 1 }), Annotation.Root({ n: Annotation() }));

export const ask = single(() => ({ messages: [new AIMessage(`You said ${interrupt({ question: "Ready?" })}`)] }));

export const failing = single(() => {
  throw new RangeError("kaput");
});

export const slow = single(async (_state, { signal }) => {
  await pause(1500, undefined, { signal });
  return { messages: [new AIMessage("At last.")] };
});

export const exits = single(() => process.exit(7));
