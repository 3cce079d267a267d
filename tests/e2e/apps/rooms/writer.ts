import { AIMessage } from "@langchain/core/messages";
import { END, MessagesValue, type Runtime, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";

const State = new StateSchema({ messages: MessagesValue });

const prompt = (nodes: string[], text: string) =>
  z.string().default(text).meta({ langgraph_type: "prompt", langgraph_nodes: nodes });

const Context = z.object({
  plan_prompt: prompt(["plan"], "Plan it."),
  style_prompt: prompt(["plan", "write"], "Be brief."),
  tone: z.enum(["dry", "warm"]).default("dry").describe("How it sounds"),
  words: z.int().min(1).max(500).optional(),
  sources: z.array(z.object({ title: z.string(), url: z.url().nullable() })).optional(),
});

type Given = Runtime<Partial<z.infer<typeof Context>>>;

const say = (text: string) => ({ messages: [new AIMessage(text)] });

export const graph = new StateGraph(State, Context)
  .addNode("plan", (_, { context }: Given) => say(`Plan: ${context?.plan_prompt ?? "none"}`))
  .addNode("write", (_, { context }: Given) => say(`Written in a ${context?.tone ?? "dry"} tone.`))
  .addEdge(START, "plan")
  .addEdge("plan", "write")
  .addEdge("write", END)
  .compile();
