// A support agent with a scripted model, for the pictures of the console: they show the same every time.
import { setTimeout as sleep } from "node:timers/promises";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { END, interrupt, MessagesValue, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { documentOn, topicNamed, topicOf } from "./knowledge.ts";

const State = new StateSchema({
  messages: MessagesValue,
  topic: z.string().default(""),
  refund: z.enum(["none", "approved", "rejected"]).default("none"),
});
type State = typeof State.State;

const Context = z.object({
  system_prompt: z
    .string()
    .default("You are the support agent of a shop. Be brief and kind.")
    .meta({ title: "System prompt", langgraph_nodes: ["model"], langgraph_type: "prompt" }),
  model: z
    .enum(["small", "large"])
    .default("small")
    .meta({ title: "Model", langgraph_nodes: ["model"] }),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .default(0.2)
    .meta({ title: "Temperature", langgraph_nodes: ["model"] }),
  sign_as: z
    .string()
    .default("Your support team")
    .meta({ title: "Sign as", langgraph_nodes: ["answer"] }),
});

const searchDocs = tool(
  async ({ q }) => {
    await sleep(90);
    console.log(`search_docs: 1 document on "${q}"`);
    return documentOn(q);
  },
  { name: "search_docs", description: "Searches the shop's policies.", schema: z.object({ q: z.string() }) },
);

const findOrder = tool(
  async ({ order }) => {
    await sleep(60);
    console.log(`find_order: order ${order} found in 60 ms`);
    return JSON.stringify({ order, sent: "2026-11-12", arrived: "2026-11-24", days_late: 9, total: "€ 42.00" });
  },
  { name: "find_order", description: "Looks an order up.", schema: z.object({ order: z.string() }) },
);

const questionIn = (messages: BaseMessage[]): string =>
  messages.findLast((message) => message.type === "human")?.text ?? "";

async function triage({ messages }: State) {
  await sleep(12);
  const { name } = topicOf(questionIn(messages));
  console.log(`triage: "${questionIn(messages)}" is about ${name}`);
  return { topic: name, refund: "none" as const };
}

/** An error without a stack, which would show paths of the machine that takes the pictures. */
function unreachable(message: string): Error {
  const error = new Error(message);
  error.name = "ServiceUnreachable";
  error.stack = `${error.name}: ${message}`;
  return error;
}

async function model({ messages, topic }: State) {
  await sleep(180);
  const { name, call, answer } = topicNamed(topic);
  const usage_metadata = { input_tokens: 180 + messages.length * 12, output_tokens: 32, total_tokens: 212 };
  if (messages.at(-1)?.type === "tool") return { messages: [new AIMessage({ content: answer, usage_metadata })] };
  if (name === "voucher") throw unreachable("The voucher service did not answer within 5 s.");
  const tool_calls = [{ id: `call-${messages.length}`, ...call }];
  return { messages: [new AIMessage({ content: "", tool_calls, usage_metadata })] };
}

function route({ messages, topic }: State): "tools" | "refund" | "done" {
  const last = messages.at(-1);
  if (AIMessage.isInstance(last) && last.tool_calls?.length) return "tools";
  return topic === "refund" ? "refund" : "done";
}

const Answer = z.object({ decisions: z.array(z.object({ type: z.string() })) });

/** Waits for a person, with a request in the form of LangChain's human-in-the-loop middleware. */
function approve() {
  const args = { order: "5521", amount: "€ 42.00", note: "Order 5521, late delivery" };
  const description = "Send this refund? € 42.00 to the card ending 1881, with the note “Order 5521, late delivery”.";
  const given = interrupt({
    action_requests: [{ name: "send_refund", args, description }],
    review_configs: [{ action_name: "send_refund", allowed_decisions: ["approve", "edit", "reject"] }],
  });
  console.log(`refund of order ${args.order}: a person has answered`);
  const isRejected = Answer.safeParse(given).data?.decisions[0]?.type === "reject";
  return { refund: isRejected ? ("rejected" as const) : ("approved" as const) };
}

const REFUND_ANSWERS = {
  approved: "The refund of € 42.00 is on its way. It arrives within three days.",
  rejected: "A colleague looks into this refund and writes to you today.",
  none: "Is there anything else I can do for you?",
};

function answer({ refund: decision }: State) {
  return { messages: [new AIMessage(REFUND_ANSWERS[decision])] };
}

export const agent = new StateGraph(State, Context)
  .addNode("triage", triage)
  .addNode("model", model)
  .addNode("tools", new ToolNode([searchDocs, findOrder], { name: "tools" }))
  .addNode("approve", approve)
  .addNode("answer", answer)
  .addEdge(START, "triage")
  .addEdge("triage", "model")
  .addConditionalEdges("model", route, { tools: "tools", refund: "approve", done: "answer" })
  .addEdge("tools", "model")
  .addEdge("approve", "answer")
  .addEdge("answer", END)
  .compile();
