import { Annotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ reads: Annotation() });

/** Reads the store again and again, until it has an item that says to stop. */
export const reads = new StateGraph(State)
  .addNode("read", async (_, { store, writer }) => {
    writer("reading");
    let count = 1;
    while (!(await store.get(["reads"], "stop"))) count++;
    return { reads: count };
  })
  .addEdge(START, "read")
  .compile();
