import { Annotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ found: Annotation() });

/** Reads one item of the store 2,000 times, and tells after every hundredth time. */
export const reads = new StateGraph(State)
  .addNode("read", async (_, { store, writer }) => {
    await store.put(["place"], "key", { value: "kept" });
    let found = 0;
    for (let read = 0; read < 2_000; read++) {
      if (read % 100 === 0) writer({ read });
      const item = await store.get(["place"], "key");
      if (item?.value.value === "kept") found++;
    }
    return { found };
  })
  .addEdge(START, "read")
  .compile();
