/** Returns its input and the id of its process. */
import { Annotation, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ more: Annotation(), pid: Annotation() });

export const echo = new StateGraph(State)
  .addNode("node", () => ({ pid: process.pid }))
  .addEdge(START, "node")
  .compile();
