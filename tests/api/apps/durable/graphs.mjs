/** Graphs that write a line for every node that starts, so that repeated nodes can be found. A node takes `ms` milliseconds. */
import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { Annotation, END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const Trace = Annotation.Root({
  done: Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  ms: Annotation(),
});

const node =
  (name) =>
  async ({ ms }, config) => {
    appendFileSync(process.env.TRACE_FILE, `${config.configurable.run_id} ${name} ${Date.now()} ${process.pid}\n`);
    await pause(ms ?? 20);
    return { done: [name] };
  };

export const count = new StateGraph(Trace)
  .addNode("a", node("a"))
  .addNode("b", node("b"))
  .addNode("c", node("c"))
  .addEdge(START, "a")
  .addEdge("a", "b")
  .addEdge("b", "c")
  .addEdge("c", END)
  .compile();

/** Answers each message with one of the same length. */
export const long = new StateGraph(MessagesAnnotation)
  .addNode("node", (state) => ({ messages: [{ role: "ai", content: state.messages.at(-1).text }] }))
  .addEdge(START, "node")
  .addEdge("node", END)
  .compile();
