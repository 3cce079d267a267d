// Counts orders from the store and writes a summary; it takes no question.
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
  region: Annotation<string>(),
  open: Annotation<number>(),
  late: Annotation<number>(),
  summary: Annotation<string>(),
});

export const digest = new StateGraph(State)
  .addNode("count", async (_state, { store }) => {
    const orders = (await store?.search(["orders"])) ?? [];
    return { open: orders.length, late: orders.filter(({ value }) => value.status === "late").length };
  })
  .addNode("write", ({ open, late }) => ({ summary: `${open} orders are open, ${late} of them late.` }))
  .addEdge(START, "count")
  .addEdge("count", "write")
  .addEdge("write", END)
  .compile();
