/** Graphs whose tasks go through every state that is sent by push. */
import { setTimeout as pause } from "node:timers/promises";
import { AIMessage } from "@langchain/core/messages";
import { Annotation, END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const single = (run, state = MessagesAnnotation) =>
  new StateGraph(state).addNode("node", run).addEdge(START, "node").addEdge("node", END).compile();
const say = (text) => ({ messages: [new AIMessage(text)] });
const last = ({ messages }) => messages.at(-1).text;

const WithArtifacts = Annotation.Root({ ...MessagesAnnotation.spec, artifacts: Annotation() });
/** Replies, and adds another artifact. */
export const echo = single(
  (state) => ({ ...say(last(state)), artifacts: [{ name: "copy", parts: [{ text: last(state) }] }] }),
  WithArtifacts,
);

/** Waits until the store has an item whose key is the message. */
export const gated = single(async (state, { store, signal }) => {
  while (!(await store.get(["gates"], last(state)))) await pause(20, undefined, { signal });
  return say("open");
});

export const ask = single(() => say(`You said ${interrupt("Ready?")}`));

export const failing = single(() => {
  throw new RangeError("kaput");
});
