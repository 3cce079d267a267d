/** Graphs that tell which process executes them. */
import { randomUUID } from "node:crypto";
import { AIMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Annotation, END, interrupt, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const list = () => Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] });
const State = Annotation.Root({
  pids: list(),
  name: Annotation(),
  said: list(),
  gate: Annotation(),
  asks: Annotation(),
});

/** Distinguishes processes that have the same id behind a fence. */
const name = randomUUID();

const addressAt = (gate, run) => `${gate}${run}/${process.pid}`;

/** Notes the process. Waits until the address `gate` has answered, and asks a person if `asks` is set. */
export const where = new StateGraph(State)
  .addNode("work", async ({ gate }, { signal, configurable }) => {
    if (gate) await fetch(addressAt(gate, configurable.run_id), { signal });
    return { pids: [process.pid], name, gate: null };
  })
  .addNode("question", () => ({ said: [interrupt("Ready?")], pids: [process.pid], asks: null }))
  .addEdge(START, "work")
  .addConditionalEdges("work", ({ asks }) => (asks ? "question" : END), ["question", END])
  .addEdge("question", END)
  .compile();

const model = new FakeListChatModel({ responses: ["x".repeat(50)] });

/** Streams a text, then says in which process it was. */
export const speaks = new StateGraph(MessagesAnnotation)
  .addNode("node", async ({ messages }) => ({
    messages: [await model.invoke(messages), new AIMessage(`${process.pid}`)],
  }))
  .addEdge(START, "node")
  .addEdge("node", END)
  .compile();
