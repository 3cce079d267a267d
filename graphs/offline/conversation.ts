// Decides what the built-in model does next in a conversation: call tools, or reply. Pure.
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { CalculateResult, ConvertUnitsResult, ToolCall } from "../tools/contract.ts";
import { type Memory, recognise } from "./intent.ts";
import { readContent } from "./attachments.ts";
import { attachmentsReply, type Outcome, outcomesReply, smallTalkReply, unknownReply } from "./reply.ts";

export type ModelTurn = { reply: string } | { call: (ToolCall & { id: string })[] };

export function nextTurn(messages: readonly BaseMessage[], tools: ReadonlySet<string>): ModelTurn {
  const questionIndex = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  const outcomes = toOutcomes(messages.slice(questionIndex + 1));
  if (outcomes.length > 0) return { reply: outcomesReply(outcomes) };
  const { question, attachments } = readContent(messages[questionIndex]?.content ?? "");
  const { calls, smallTalk } = recognise(question, tools, toMemory(messages.slice(0, Math.max(questionIndex, 0))));
  if (calls.length > 0) return { call: withIds(calls, messages) };
  if (attachments.length > 0) return { reply: attachmentsReply(attachments) };
  return { reply: smallTalk ? smallTalkReply(smallTalk, tools) : unknownReply(tools) };
}

/** Numbers the calls of the conversation, so that the same one has the same ids, and no id occurs twice. */
function withIds(calls: readonly ToolCall[], messages: readonly BaseMessage[]): (ToolCall & { id: string })[] {
  const before = messages.flatMap((message) =>
    AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [],
  ).length;
  return calls.map((call, i) => ({ ...call, id: `call_${before + i + 1}` }));
}

/** Returns calls with their results, in the order of the calls. */
function toOutcomes(messages: readonly BaseMessage[]): Outcome[] {
  const results = new Map(messages.flatMap((m) => (ToolMessage.isInstance(m) ? [[m.tool_call_id, m] as const] : [])));
  const calls = messages.flatMap((message) => (AIMessage.isInstance(message) ? (message.tool_calls ?? []) : []));
  return calls.flatMap((made) => {
    const call = ToolCall.safeParse(made).data;
    const result = results.get(made.id ?? "");
    return call && result ? [{ call, content: result.text, failed: result.status === "error" }] : [];
  });
}

function toMemory(messages: readonly BaseMessage[]): Memory {
  const last = toOutcomes(messages).findLast(({ failed }) => !failed);
  return last ? { call: last.call, value: toValue(last.content) } : {};
}

function toValue(content: string): string | undefined {
  const result = parsed(content);
  return CalculateResult.safeParse(result).data?.result ?? ConvertUnitsResult.safeParse(result).data?.value;
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
