/** Small graphs, one for each feature that the API tests use. */
import { setTimeout as pause } from "node:timers/promises";
import { AIMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Annotation, END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import * as z from "zod";

const single = (name, run, state = MessagesAnnotation) =>
  new StateGraph(state).addNode(name, run).addEdge(START, name).addEdge(name, END);

const model = new FakeListChatModel({ responses: ["Hi!"] });
const reply = async (state) => ({ messages: [await model.invoke(state.messages)] });

export const chat = single("model", reply).compile();

const fast = new FakeListChatModel({ responses: ["x".repeat(100)] });
export const tokens = single("model", async (state) => ({ messages: [await fast.invoke(state.messages)] })).compile();

export const custom = single("writer", (_state, config) => {
  for (let progress = 1; progress <= 3; progress++) config.writer({ progress });
  return {};
}).compile();

const child = new StateGraph(MessagesAnnotation)
  .addNode("model", reply)
  .addNode("polish", () => ({}))
  .addEdge(START, "model")
  .addEdge("model", "polish")
  .addEdge("polish", END)
  .compile();

export const family = new StateGraph(MessagesAnnotation)
  .addNode("child", child)
  .addEdge(START, "child")
  .addEdge("child", END)
  .compile();

export const failing = single("node", () => {
  throw new RangeError("kaput");
}).compile();

/** Emits a tick every 50 ms until it is cancelled. */
export const slow = single("node", async (_state, config) => {
  for (let tick = 0; tick < 600; tick++) {
    config.writer({ tick });
    await pause(50, undefined, { signal: config.signal });
  }
  return {};
}).compile();

export const ask = single("ask", () => ({ messages: [new AIMessage(String(interrupt({ q: "ok?" })))] })).compile();

/** Asks two questions at the same time. */
export const askTwice = new StateGraph(MessagesAnnotation)
  .addNode("one", () => ({ messages: [new AIMessage(`one: ${interrupt("one?")}`)] }))
  .addNode("two", () => ({ messages: [new AIMessage(`two: ${interrupt("two?")}`)] }))
  .addEdge(START, "one")
  .addEdge(START, "two")
  .compile();

/** Does one step, and is in the middle of the second until it is cancelled. */
export const halfway = new StateGraph(MessagesAnnotation)
  .addNode("first", () => ({ messages: [new AIMessage("done")] }))
  .addNode("second", (_state, config) => {
    config.writer("begun");
    return pause(60_000, {}, { signal: config.signal });
  })
  .addEdge(START, "first")
  .addEdge("first", "second")
  .compile();

const Counter = Annotation.Root({ n: Annotation({ reducer: (a, b) => a + b, default: () => 0 }) });
export const steps = new StateGraph(Counter)
  .addNode("one", () => ({ n: 1 }))
  .addNode("two", () => ({ n: 10 }))
  .addEdge(START, "one")
  .addEdge("one", "two")
  .addConditionalEdges("two", (state) => (state.n < 100 ? "one" : END), ["one", END])
  .compile();

export const shape = single(
  "node",
  () => ({ answer: "42" }),
  z.object({ question: z.string(), answer: z.string().optional() }),
).compile();

/** Returns everything that a run can read of its surroundings. */
export const seen = single(
  "node",
  (_state, config) => ({
    seen: {
      configurable: config.configurable,
      context: config.context,
      metadata: config.metadata,
      tags: config.tags,
      environment: process.env,
      folder: process.cwd().split("/").at(-1),
    },
  }),
  Annotation.Root({ seen: Annotation() }),
).compile();

export const exits = single("node", () => process.exit(7)).compile();

let uses = 0;
export const factory = (config) => {
  uses++;
  return single(
    "node",
    () => ({ seen: { uses, tone: config.configurable?.tone } }),
    Annotation.Root({ seen: Annotation() }),
  );
};
