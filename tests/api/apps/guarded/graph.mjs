import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ wait: Annotation(), user: Annotation(), id: Annotation(), permissions: Annotation() });

/** Returns the user who started it. */
export const graph = new StateGraph(State)
  .addNode("tell", async ({ wait }, { configurable, signal }) => {
    if (wait) await new Promise((_, stop) => signal.addEventListener("abort", () => stop(new Error("stopped"))));
    return {
      user: configurable.langgraph_auth_user ?? null,
      id: configurable.langgraph_auth_user_id ?? null,
      permissions: configurable.langgraph_auth_permissions ?? null,
    };
  })
  .addEdge(START, "tell")
  .addEdge("tell", END)
  .compile();
