// Defines graphs that are nodes of others, in every way that a builder takes them.
import { Annotation, START, StateGraph } from "@langchain/langgraph";
import { compiled as research } from "./graphs.js";

const Leaf = Annotation.Root({ count: Annotation<number>, left: Annotation<string> });
const leaf = (name: string) =>
  new StateGraph(Leaf)
    .addNode("work", () => ({ left: name }))
    .addEdge(START, "work")
    .compile();
const called = leaf("called");

const Whole = Annotation.Root({ count: Annotation<number>, question: Annotation<string> });
const builder = new StateGraph(Whole)
  .addNode({ first: leaf("first"), other: () => ({ count: 1 }) })
  .addNode([["listed", called]])
  .addNode("calls", async (state) => ({ count: (await called.invoke(state)).count }), { subgraphs: [called] })
  .addEdge(START, "first")
  .addEdge(START, "other")
  .addEdge(START, "listed")
  .addEdge(START, "calls");
builder.addNode("later", research satisfies object).addEdge("first", "later");

export const whole = () => builder.compile();
