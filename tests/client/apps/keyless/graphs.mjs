/** A graph that is made each time. Its threads can be read, and not all of its runs begin. */
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const graph = new StateGraph(Annotation.Root({ text: Annotation() }))
  .addNode("say", () => ({ text: "Hello" }))
  .addEdge(START, "say")
  .addEdge("say", END)
  .compile();

export function keyless({ configurable }) {
  if (configurable?.key === "none" && configurable.run_id) throw new Error("There is no key for the model");
  return graph;
}
