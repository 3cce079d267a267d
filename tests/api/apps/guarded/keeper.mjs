import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ mine: Annotation(), all: Annotation() });
const placeOf = ({ namespace, key }) => [...namespace, key];

/** Keeps a note for who called it, and answers the places of this caller's and of all. */
export const graph = new StateGraph(State)
  .addNode("keep", async (_, { store, configurable }) => {
    const id = configurable.langgraph_auth_user_id;
    await store.put([id, "notes"], "kept", { kind: "note" });
    return { mine: (await store.search([id])).map(placeOf), all: (await store.search([])).map(placeOf) };
  })
  .addEdge(START, "keep")
  .addEdge("keep", END)
  .compile();
