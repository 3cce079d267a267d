// Custom events, and a node whose duration a test decides.
import { setTimeout as pause } from "node:timers/promises";
import { Annotation, END, type LangGraphRunnableConfig, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ ms: Annotation<number>(), gate: Annotation<string>(), text: Annotation<string>() });

/** Emits three custom events: an object, a text with markup, and a null. */
export const events = new StateGraph(State)
  .addNode("tell", (_state, { writer }) => {
    writer?.({ progress: 0.5, of: ["half", { deep: true }] });
    writer?.("<b>markup</b> as text");
    writer?.(null);
    return { text: "told" };
  })
  .addEdge(START, "tell")
  .addEdge("tell", END)
  .compile();

/** Waits `ms` milliseconds, or until the store has the item `gate` in the namespace `gates`. */
async function wait({ ms, gate }: typeof State.State, { signal, store }: LangGraphRunnableConfig) {
  if (ms) await pause(ms, undefined, { signal });
  while (gate && !(await store?.get(["gates"], gate))) await pause(20, undefined, { signal });
  return { text: "waited" };
}

export const slow = new StateGraph(State)
  .addNode("before", () => ({ text: "before" }))
  .addNode("wait", wait)
  .addNode("after", () => ({ text: "after" }))
  .addEdge(START, "before")
  .addEdge("before", "wait")
  .addEdge("wait", "after")
  .addEdge("after", END)
  .compile();
