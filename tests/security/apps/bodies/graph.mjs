/** Gives back what it is sent, and says which process it is. */
import { Annotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ more: Annotation(), pid: Annotation() });

export const echo = new StateGraph(State)
  .addNode("node", () => ({ pid: process.pid }))
  .addEdge(START, "node")
  .compile();
