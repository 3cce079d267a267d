import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Annotation, END, interrupt, MessagesAnnotation, START, StateGraph, StreamChannel } from "@langchain/langgraph";

const log = () => Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] });
const Outer = Annotation.Root({ log: log() });
const Inner = Annotation.Root({ log: log(), mine: log() });
const Deep = Annotation.Root({ log: log(), deepest: Annotation() });

/** Asks two questions, one after the other, two graphs below the top. Two of the names begin alike. */
export const deep = new StateGraph(Deep)
  .addNode("first", () => ({ deepest: interrupt("first?"), log: ["first"] }))
  .addNode("second", ({ deepest }) => ({ log: [`${String(deepest)} and ${String(interrupt("second?"))}`] }))
  .addEdge(START, "first")
  .addEdge("first", "second");
export const inner = new StateGraph(Inner)
  .addNode("deep", deep.compile())
  .addNode("before", () => ({ log: ["before"], mine: ["kept here"] }))
  .addEdge(START, "before")
  .addEdge("before", "deep");
export const outer = new StateGraph(Outer)
  .addNode("in", () => ({ log: ["in"] }))
  .addNode("inside", inner.compile())
  .addEdge(START, "in")
  .addEdge("in", "inside")
  .compile();

/** Its only node has the name that the caller sets. */
export function named({ configurable: { nodeName = "nobody" } = {} }) {
  return new StateGraph(Outer)
    .addNode(nodeName, () => ({ log: [nodeName] }))
    .addEdge(START, nodeName)
    .addEdge(nodeName, END)
    .compile();
}

/** Counts the events of a run: in a channel for clients, in one for this process, and in a value at the end. */
const counting = () => {
  const counted = StreamChannel.remote("counted");
  const kept = StreamChannel.local();
  const seen = {};
  let text = "";
  const { promise: total, resolve } = Promise.withResolvers();
  return {
    init: () => ({ counted, kept, total }),
    process({ method, params: { data, namespace } }) {
      seen[method] = (seen[method] ?? 0) + 1;
      if (method === "messages" && data.event === "content-block-delta") text += data.delta.text;
      if (method === "messages" && data.event === "message-finish") counted.push({ text, namespace });
      kept.push(method);
      if (method === "custom" && data.payload === "break") throw new Error("cannot count that");
      return true;
    },
    finalize: () => resolve({ methods: Object.keys(seen).toSorted(), custom: seen.custom }),
  };
};
/** Its last value is never resolved. */
const waiting = () => ({ init: () => ({ never: new Promise(() => {}) }), process: () => true });

const model = new FakeListChatModel({ responses: ["one two"] });
const transformed = (...transformers) =>
  new StateGraph(MessagesAnnotation)
    .addNode("model", async ({ messages }, { writer }) => {
      writer?.({ name: "own", payload: "by hand" });
      if (messages.at(-1).text === "break") writer?.("break");
      return { messages: [await model.invoke(messages)] };
    })
    .addEdge(START, "model")
    .compile({ transformers });
export const counted = transformed(counting);
export const waits = transformed(counting, waiting);
