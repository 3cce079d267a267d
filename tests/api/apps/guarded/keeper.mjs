import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ mine: Annotation(), all: Annotation() });
const placeOf = ({ namespace, key }) => [...namespace, key];

/** Stores a note for its caller. Returns the keys of this caller's items and of all items. */
export const graph = new StateGraph(State)
  .addNode("keep", async (_, { store, configurable }) => {
    const id = configurable.langgraph_auth_user_id;
    await store.put([id, "notes"], "kept", { kind: "note" });
    return { mine: (await store.search([id])).map(placeOf), all: (await store.search([])).map(placeOf) };
  })
  .addEdge(START, "keep")
  .addEdge("keep", END)
  .compile();
