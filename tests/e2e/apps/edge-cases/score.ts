import { END, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";

const State = new StateSchema({ text: z.string(), weight: z.number().default(2), score: z.number().default(0) });

export const graph = new StateGraph(State)
  .addNode("measure", ({ text, weight }) => ({ score: text.length * weight }))
  .addEdge(START, "measure")
  .addEdge("measure", END)
  .compile();
