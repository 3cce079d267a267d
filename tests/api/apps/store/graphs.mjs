import { Annotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ text: Annotation(), found: Annotation() });

/** Stores a text, and returns the nearest stored texts. */
export const notes = new StateGraph(State)
  .addNode("note", async ({ text }, { store }) => {
    const near = await store.search(["notes"], { query: text, limit: 2 });
    await store.put(["notes"], text, { text });
    const dates = near.every(({ createdAt, updatedAt }) => createdAt instanceof Date && updatedAt instanceof Date);
    return { found: { near: near.map(({ key, score }) => [key, score]), dates, in: await store.listNamespaces() } };
  })
  .addEdge(START, "note")
  .compile();
