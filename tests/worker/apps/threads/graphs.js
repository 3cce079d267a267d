import { AIMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import {
  Annotation,
  DeltaChannel,
  END,
  interrupt,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from "@langchain/langgraph";

/**
 * Calls the checkpointer of the run as its input says, and is no graph. As in LangGraph, writes of tasks are not awaited.
 * Arguments and results are serialised texts.
 */
export const saver = {
  lg_is_pregel: true,
  async *stream({ calls }, { configurable }) {
    const checkpointer = configurable.__pregel_checkpointer;
    const { serde } = checkpointer;
    const writes = [];
    for (const [method, ...given] of await serde.loadsTyped("json", calls)) {
      let result = checkpointer[method](...given);
      if (method === "list") result = await Array.fromAsync(result);
      if (method === "putWrites") writes.push(result);
      const [, bytes] = await serde.dumpsTyped([method === "putWrites" ? undefined : await result]);
      yield ["custom", new TextDecoder().decode(bytes)];
    }
    await Promise.all(writes);
  },
  getState: () => ({ values: {}, next: [], tasks: [] }),
};

/** Executes the command in the last message. */
export const chat = new StateGraph(MessagesAnnotation)
  .addNode("answer", ({ messages }) => {
    const last = messages.at(-1);
    const [word, ...rest] = last.text.split(" ");
    if (word === "forget")
      return { messages: [new RemoveMessage({ id: messages[Number(rest[0]) % messages.length].id })] };
    if (word === "edit") {
      const old = messages[Number(rest[0]) % messages.length];
      old.content = `edited: ${rest[1]}`;
      return { messages: [old] };
    }
    if (word === "swap") {
      const old = messages[Number(rest[0]) % messages.length];
      return { messages: [new HumanMessage({ id: old.id, content: `swapped: ${rest[1]}` })] };
    }
    return { messages: [new AIMessage(`${messages.length} so far`)] };
  })
  .addEdge(START, "answer")
  .compile();

const Log = Annotation.Root({
  log: Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  seen: Annotation({ reducer: (a, b) => new Map([...a, ...b]), default: () => new Map() }),
});

const inner = new StateGraph(Log)
  .addNode("remember", ({ log }) => ({ log: [`inner ${log.length}`] }))
  .addEdge(START, "remember")
  .compile({ checkpointer: true });

/** Has two interrupts in one node, other nodes beside it, a stateful subgraph, and tasks that are sent. */
export const asks = new StateGraph(Log)
  .addNode("ask", () => ({ log: [`${interrupt("one")} and ${interrupt("two")}`] }))
  .addNode("beside", () => ({ log: ["beside"], seen: new Map([["beside", new Set([1])]]) }))
  .addNode("inner", inner)
  .addNode("sent", ({ number }) => ({ log: [`sent ${number}`] }))
  .addEdge(START, "ask")
  .addEdge(START, "beside")
  .addEdge("beside", "inner")
  .addConditionalEdges("ask", () => [new Send("sent", { number: 1 }), new Send("sent", { number: 2 })])
  .compile();

const reduce = (state, writes) => [...state, ...writes.flat()];
const Delta = Annotation.Root({ n: Annotation(), log: () => new DeltaChannel(reduce, { snapshotFrequency: 3 }) });

/** Has a log that is stored as differences. */
export const delta = new StateGraph(Delta)
  .addNode("step", ({ n }) => ({ n: n + 1, log: [`step ${String(n)}`] }))
  .addNode("ask", ({ n }) => ({ log: [`${interrupt(n)}`] }))
  .addEdge(START, "step")
  .addConditionalEdges("step", ({ n }) => (n % 5 === 0 ? "ask" : "step"))
  .addConditionalEdges("ask", ({ n }) => (n < 15 ? "step" : END))
  .compile();
