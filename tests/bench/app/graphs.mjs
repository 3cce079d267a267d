/** These graphs are measured in process and through the server. */
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { AIMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const node = (run) =>
  new StateGraph(MessagesAnnotation).addNode("node", run).addEdge(START, "node").addEdge("node", END);

/** One node, one short reply. */
export const one = node(() => ({ messages: [new AIMessage("Hello.")] })).compile();

/**
 * One node that streams a reply of 100 tokens. It waits for them to be passed on: LangGraph alone drops the last 9 if the node
 * returns at once, and so would have less to do than the server.
 */
const model = new FakeListChatModel({ responses: ["x".repeat(100)] });
export const tokens = node(async (state) => {
  const reply = await model.invoke(state.messages);
  await nextTurn();
  return { messages: [reply] };
}).compile();

/** One node that streams a reply of 2,000 tokens. */
const talkative = new FakeListChatModel({ responses: ["x".repeat(2000)] });
export const speech = node(async (state) => ({ messages: [await talkative.invoke(state.messages)] })).compile();

/** One node that streams the same reply with a pause of 1 ms before each token. */
const thinker = new FakeListChatModel({ responses: ["x".repeat(2000)], sleep: 1 });
export const slowSpeech = node(async (state) => ({ messages: [await thinker.invoke(state.messages)] })).compile();

/** Emits nothing for ten minutes. */
export const wait = node(async (_state, config) => {
  await pause(600_000, undefined, { signal: config.signal });
  return {};
}).compile();

/** Emits 64 MB as fast as they are read. */
export const flood = node(async (_state, config) => {
  const piece = "x".repeat(16 * 1024);
  for (let n = 0; n < 4096; n++) {
    config.writer({ n, piece });
    if (n % 64 === 0) await pause(1);
  }
  return {};
}).compile();

/** Takes `left` steps, each of which emits an event. Its state does not grow. */
export const steps = new StateGraph(Annotation.Root({ left: Annotation() }))
  .addNode("step", ({ left }, config) => {
    config.writer({ left });
    return { left: left - 1 };
  })
  .addEdge(START, "step")
  .addConditionalEdges("step", ({ left }) => (left > 0 ? "step" : END))
  .compile();

/** Emits 100 events, one every 20 ms. */
export const ticks = node(async (_state, config) => {
  for (let n = 0; n < 100; n++) {
    config.writer({ n });
    await pause(20);
  }
  return {};
}).compile();
