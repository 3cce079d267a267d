// A graph whose configuration says at which node each field belongs, and which field is a prompt.
import { AIMessage } from "@langchain/core/messages";
import { END, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";

const State = new StateSchema({ messages: MessagesValue });

const Context = z.object({
  system_prompt: z
    .string()
    .default("You are kind.")
    .meta({ title: "System prompt", langgraph_nodes: ["answer"], langgraph_type: "prompt" }),
  model: z
    .enum(["small", "large"])
    .default("small")
    .meta({ langgraph_nodes: ["answer", "check"] }),
  temperature: z.number().min(0).max(2).default(1),
  strict: z
    .boolean()
    .default(false)
    .meta({ langgraph_nodes: ["check"] }),
  tags: z.array(z.string()).default([]),
});

export const configured = new StateGraph(State, Context)
  .addNode("answer", (_state, { context }) => ({
    messages: [new AIMessage(`${context?.system_prompt ?? "no prompt"} (${context?.model ?? "no model"})`)],
  }))
  .addNode("check", () => ({}))
  .addEdge(START, "answer")
  .addEdge("answer", "check")
  .addEdge("check", END)
  .compile();
