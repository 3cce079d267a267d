import { Annotation, StateGraph } from "@langchain/langgraph";
import isOdd from "is-odd";
import { Color } from "@/lib/color";
import words from "@/lib/words.json";

const State = Annotation.Root({ n: Annotation<number>, said: Annotation<string> });

export const graph = new StateGraph(State)
  .addNode("say", ({ n }) => ({ said: isOdd(n) ? words.odd : Color.Even }))
  .addEdge("__start__", "say")
  .compile();
