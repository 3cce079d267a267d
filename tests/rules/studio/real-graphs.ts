/** Small graphs of every shape that the Studio draws. */
import { setImmediate } from "node:timers/promises";
import type { RunnableConfig } from "@langchain/core/runnables";
import { Annotation, Command, END, interrupt, MessagesAnnotation, Send, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { OfflineChatModel } from "../../../graphs/offline-model.ts";
import { calculate } from "../../../graphs/tools/calculate.ts";

const State = Annotation.Root({
  n: Annotation<number>({ reducer: (_before, after) => after, default: () => 0 }),
  log: Annotation<string[]>({ reducer: (before, after) => [...before, ...after], default: () => [] }),
});
type Node = (state: typeof State.State, config: RunnableConfig) => Partial<typeof State.State> | Command;
const says =
  (name: string): Node =>
  ({ n }) => ({ n: n + 1, log: [name] });

/** A graph in a graph in a graph. */
function nested() {
  const inner = new StateGraph(State)
    .addNode("deep", says("deep"))
    .addNode("deeper", says("deeper"))
    .addEdge(START, "deep")
    .addEdge("deep", "deeper")
    .addEdge("deeper", END);
  const child = new StateGraph(State)
    .addNode("inner", inner.compile())
    .addNode("after", says("after"))
    .addEdge(START, "inner")
    .addEdge("inner", "after")
    .addEdge("after", END);
  return new StateGraph(State)
    .addNode("first", says("first"))
    .addNode("child", child.compile())
    .addEdge(START, "first")
    .addEdge("first", "child")
    .addEdge("child", END);
}

function fanOut() {
  return new StateGraph(State)
    .addNode("plan", says("plan"))
    .addNode("work", ({ n }: { n: number }) => ({ log: [`work ${n}`] }))
    .addNode("join", says("join"))
    .addEdge(START, "plan")
    .addConditionalEdges("plan", () => Array.from({ length: 20 }, (_none, n) => new Send("work", { n })), ["work"])
    .addEdge("work", "join")
    .addEdge("join", END);
}

function loop() {
  return new StateGraph(State)
    .addNode("turn", says("turn"))
    .addEdge(START, "turn")
    .addConditionalEdges("turn", ({ n }) => (n < 5 ? "turn" : END), ["turn", END]);
}

function asks() {
  const ask =
    (name: string): Node =>
    () => ({ log: [`${name} ${String(interrupt({ question: name }))}`] });
  return new StateGraph(State)
    .addNode("begin", says("begin"))
    .addNode("left", ask("left"))
    .addNode("right", ask("right"))
    .addNode("quick", says("quick"))
    .addEdge(START, "begin")
    .addEdge("begin", "left")
    .addEdge("begin", "right")
    .addEdge("begin", "quick")
    .addEdge("left", END)
    .addEdge("right", END)
    .addEdge("quick", END);
}

function fails() {
  let tries = 0;
  return new StateGraph(State)
    .addNode(
      "flaky",
      ({ n }) => {
        if (++tries < 3) throw new Error("not yet");
        return { n: n + 1, log: ["flaky"] };
      },
      { retryPolicy: { maxAttempts: 3, initialInterval: 1, jitter: false, logWarning: false, retryOn: () => true } },
    )
    .addNode("bad", async () => {
      // LangGraph drops what nobody has read when a graph fails.
      await setImmediate();
      throw new RangeError("kaput");
    })
    .addNode("beside", (_state, { signal }) => {
      return new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new DOMException("This operation was aborted", "AbortError")));
      });
    })
    .addEdge(START, "flaky")
    .addEdge("flaky", "bad")
    .addEdge("flaky", "beside")
    .addEdge("bad", END)
    .addEdge("beside", END);
}

function custom() {
  return new StateGraph(State)
    .addNode("tells", (_state, config) => {
      for (let part = 0; part < 30; part++) config.writer?.({ part });
      return { log: ["told"] };
    })
    .addEdge(START, "tells")
    .addEdge("tells", END);
}

function chats() {
  const tools = [calculate];
  const model = new OfflineChatModel().bindTools(tools);
  return new StateGraph(MessagesAnnotation)
    .addNode("agent", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "agent")
    .addConditionalEdges("agent", toolsCondition, ["tools", END])
    .addEdge("tools", "agent");
}

/** A graph inside hands over to a node outside, and so tells no end. */
function handsOver() {
  const inner = new StateGraph(State)
    .addNode("agent", says("agent"))
    .addNode("handoff", () => new Command({ goto: "other", graph: Command.PARENT, update: { log: ["handoff"] } }))
    .addEdge(START, "agent")
    .addEdge("agent", "handoff")
    .addEdge("handoff", END);
  return new StateGraph(State)
    .addNode("team", inner.compile(), { ends: ["other"] })
    .addNode("other", says("other"))
    .addEdge(START, "team")
    .addEdge("other", END);
}

/** Asks from two graphs deep. */
function asksBelow() {
  const inner = new StateGraph(State)
    .addNode("ask", () => ({ log: [String(interrupt("May I?"))] }))
    .addEdge(START, "ask")
    .addEdge("ask", END);
  const child = new StateGraph(State).addNode("inner", inner.compile()).addEdge(START, "inner").addEdge("inner", END);
  return new StateGraph(State)
    .addNode("child", child.compile())
    .addNode("after", says("after"))
    .addEdge(START, "child")
    .addEdge("child", "after")
    .addEdge("after", END);
}

/** A node waits for two others of which one ends a step earlier. */
function joins() {
  return new StateGraph(State)
    .addNode("short", says("short"))
    .addNode("long", says("long"))
    .addNode("longer", says("longer"))
    .addNode("both", says("both"))
    .addEdge(START, "short")
    .addEdge(START, "long")
    .addEdge("long", "longer")
    .addEdge(["short", "longer"], "both")
    .addEdge("both", END);
}

function cached() {
  return new StateGraph(State)
    .addNode("slow", ({ log }) => ({ log: [`slow ${log.length}`] }), { cachePolicy: { keyFunc: () => "same" } })
    .addNode("after", says("after"))
    .addEdge(START, "slow")
    .addEdge("slow", "after")
    .addEdge("after", END);
}

export const graphs = { handsOver, asksBelow, joins, cached, nested, fanOut, loop, asks, fails, custom, chats };
export type GraphName = keyof typeof graphs;

export const FIRST_INPUT: Record<GraphName, unknown> = {
  ...(Object.fromEntries(Object.keys(graphs).map((name) => [name, { n: 0 }])) as Record<GraphName, unknown>),
  chats: { messages: [{ role: "user", content: "What is 17 * 3?", id: "q1" }] },
};
