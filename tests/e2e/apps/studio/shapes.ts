// Graphs of different shapes: subgraphs two deep, a fan-out, a loop, and 500 nodes.
import { Annotation, END, Send, START, StateGraph } from "@langchain/langgraph";

const log = () => Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] });
const State = Annotation.Root({ log: log() });

const step = (name: string) => () => ({ log: [name] });

const inner = new StateGraph(State)
  .addNode("read", step("read"))
  .addNode("write", step("write"))
  .addEdge(START, "read")
  .addConditionalEdges("read", ({ log: { length } }) => (length > 100 ? "enough" : "more"), {
    enough: END,
    more: "write",
  })
  .addEdge("write", END)
  .compile();

const child = new StateGraph(State)
  .addNode("plan", step("plan"))
  .addNode("inner", inner)
  .addNode("check", step("check"))
  .addEdge(START, "plan")
  .addEdge("plan", "inner")
  .addEdge("inner", "check")
  .addConditionalEdges("check", ({ log: { length } }) => (length < 8 ? "again" : "good"), { again: "plan", good: END })
  .compile();

export const nested = new StateGraph(State)
  .addNode("before", step("before"))
  .addNode("child", child)
  .addNode("after", step("after"))
  .addEdge(START, "before")
  .addEdge("before", "child")
  .addEdge("child", "after")
  .addEdge("after", END)
  .compile();

const Wide = Annotation.Root({ log: log(), item: Annotation<number>() });

/** Sends 20 tasks to one node. */
export const wide = new StateGraph(Wide)
  .addNode("split", step("split"))
  .addNode("work", ({ item }) => ({ log: [`item ${item}`] }))
  .addNode("join", step("join"))
  .addEdge(START, "split")
  .addConditionalEdges("split", () => Array.from({ length: 20 }, (_, item) => new Send("work", { item })), ["work"])
  .addEdge("work", "join")
  .addEdge("join", END)
  .compile();

const Loop = Annotation.Root({ round: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }) });

/** Takes 50 rounds of two steps, so a run needs a recursion limit above 100. */
export const loop = new StateGraph(Loop)
  .addNode("count", ({ round }) => ({ round: round + 1 }))
  .addNode("look", () => ({}))
  .addEdge(START, "count")
  .addEdge("count", "look")
  .addConditionalEdges("look", ({ round }) => (round < 50 ? "again" : "done"), { again: "count", done: END })
  .compile();

/**
 * 100 rows of 5 nodes; each row leads to the next, and every tenth may go back ten rows. A run needs a recursion limit
 * above 100.
 */
function grid() {
  const graph = new StateGraph<typeof State, typeof State.State, Partial<typeof State.State>, string>(State);
  const name = (row: number, column: number) => `row ${row} step ${column}`;
  for (let row = 0; row < 100; row++) {
    for (let column = 0; column < 5; column++) {
      graph.addNode(name(row, column), () => ({}));
      graph.addEdge(row === 0 ? START : name(row - 1, column), name(row, column));
      const beside = column + (row % 2 === 0 ? 1 : -1);
      if (row > 0 && beside >= 0 && beside < 5) graph.addEdge(name(row - 1, beside), name(row, column));
    }
    if (row >= 10 && row % 10 === 0) {
      graph.addConditionalEdges(name(row, 0), () => [], { "ten back": name(row - 10, 0), "to the end": END });
    }
  }
  for (let column = 0; column < 5; column++) graph.addEdge(name(99, column), END);
  return graph.compile();
}
export const big = grid();
