import { Annotation, StateGraph } from "@langchain/langgraph";
import { next } from "@acme/shared";
import isOdd from "is-odd";

const State = Annotation.Root({ n: Annotation<number>, odd: Annotation<boolean> });

export const graph = new StateGraph(State)
  .addNode("look", ({ n }) => ({ odd: isOdd(next(n)) }))
  .addEdge("__start__", "look")
  .compile();
