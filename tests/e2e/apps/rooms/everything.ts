import { END, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";

const State = new StateSchema({
  topic: z.string(),
  mail: z.email().optional(),
  count: z.int().min(1).default(3),
  share: z.number().optional(),
  deep: z.boolean().optional(),
  tone: z.enum(["dry", "warm"]).optional(),
  tags: z.array(z.string()).optional(),
  places: z.array(z.object({ city: z.string(), nights: z.int() })).optional(),
  either: z.union([z.string(), z.array(z.string())]).optional(),
  note: z.string().nullable().optional(),
  extra: z.record(z.string(), z.int()).optional(),
  any: z.unknown().optional(),
});

export const graph = new StateGraph(State)
  .addNode("keep", (state) => ({ topic: `${state.topic}!` }))
  .addEdge(START, "keep")
  .addEdge("keep", END)
  .compile();
