import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
  type BindToolsInput,
} from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, type BaseMessage, type UsageMetadata } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import { z } from "zod";
import { nextTurn, type ModelTurn } from "./offline/conversation.ts";

type OfflineCallOptions = BaseChatModelCallOptions & { tools?: BindToolsInput[] };

const NamedTool = z.union([
  z.object({ name: z.string() }).transform(({ name }) => name),
  z.object({ function: z.object({ name: z.string() }) }).transform((tool) => tool.function.name),
]);

/** Splits a text into words or 12 letters of a long one, with the space before. Joined, they are the text again. */
function toTokens(text: string): string[] {
  return text.match(/\s*\S{1,12}|\s+/gu) ?? [];
}

/**
 * A chat model without a language model: deterministic, offline, free. It reads the last question, calls those of its
 * bound tools that can answer it, and puts their results in words. For LangChain it is a chat model like any other.
 */
export class OfflineChatModel extends BaseChatModel<OfflineCallOptions> {
  constructor(fields: BaseChatModelParams = {}) {
    super(fields);
  }

  static override lc_name(): string {
    return "OfflineChatModel";
  }

  override _llmType(): string {
    return "graphlib-offline";
  }

  override bindTools(tools: BindToolsInput[], options?: Partial<OfflineCallOptions>) {
    return this.withConfig({ ...options, tools });
  }

  override async _generate(messages: BaseMessage[], options: this["ParsedCallOptions"]): Promise<ChatResult> {
    const turn = decide(messages, options.tools);
    const text = "reply" in turn ? turn.reply : "";
    const message = new AIMessage({
      content: text,
      tool_calls: "call" in turn ? turn.call.map((call) => ({ ...call, type: "tool_call" })) : [],
      usage_metadata: usageOf(messages, turn),
      response_metadata: metadataOf(turn),
    });
    return { generations: [{ text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    run?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const turn = decide(messages, options.tools);
    for (const chunk of toChunks(turn, usageOf(messages, turn))) {
      options.signal?.throwIfAborted();
      yield chunk;
      await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}

function decide(messages: BaseMessage[], tools: BindToolsInput[] = []): ModelTurn {
  return nextTurn(messages, new Set(tools.flatMap((tool) => NamedTool.safeParse(tool).data ?? [])));
}

/** Yields one chunk for each token or tool call, and a last one with what is known only at the end. */
function* toChunks(turn: ModelTurn, usage_metadata: UsageMetadata): Generator<ChatGenerationChunk> {
  if ("reply" in turn) for (const token of toTokens(turn.reply)) yield toChunk(new AIMessageChunk({ content: token }));
  if ("call" in turn) {
    for (const [index, { id, name, args }] of turn.call.entries()) {
      const call = { type: "tool_call_chunk" as const, index, id, name, args: JSON.stringify(args) };
      yield toChunk(new AIMessageChunk({ content: "", tool_call_chunks: [call] }));
    }
  }
  yield toChunk(new AIMessageChunk({ content: "", usage_metadata, response_metadata: metadataOf(turn) }));
}

function toChunk(message: AIMessageChunk): ChatGenerationChunk {
  return new ChatGenerationChunk({ text: message.text, message });
}

function metadataOf(turn: ModelTurn): Record<string, string> {
  return { model_name: "graphlib-offline", finish_reason: "reply" in turn ? "stop" : "tool_calls" };
}

/** Counts what was read, and what was answered or called, in the tokens of `toTokens`. */
function usageOf(messages: readonly BaseMessage[], turn: ModelTurn): UsageMetadata {
  const input_tokens = messages.reduce((sum, message) => sum + toTokens(message.text).length, 0);
  const output_tokens = toTokens("reply" in turn ? turn.reply : JSON.stringify(turn.call)).length;
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
}
