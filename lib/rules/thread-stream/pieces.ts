/** Splits a message of any model provider into content blocks or pieces of them. */
import { isObject, type JsonObject } from "../../protocol/json.ts";

interface TextPiece {
  readonly kind: "text" | "reasoning";
  readonly key: string;
  readonly text: string;
}

interface CallPiece {
  readonly kind: "call";
  readonly key: string;
  readonly id: string | null;
  readonly name: string | null;
  /** The arguments as JSON text, a part of it while they stream. */
  readonly text: string;
  readonly index?: number;
}

/** A piece that continues the block with the same key. */
export type GrowingPiece = TextPiece | CallPiece;
export type MessagePiece = GrowingPiece | { readonly kind: "block"; readonly key: string; readonly block: JsonObject };

/** Returns whether a message is a chunk. Only chunks have a list of pieces of tool calls, which may be empty. */
export function isChunk(message: JsonObject): boolean {
  return Array.isArray(message.tool_call_chunks) || textOf(message.type).endsWith("Chunk");
}

/** Returns the pieces that a chunk adds. */
export function piecesOf(chunk: JsonObject): MessagePiece[] {
  const calls = listOf(chunk.tool_call_chunks).map(({ id, name, args, index }, at): MessagePiece => {
    const number = typeof index === "number" ? index : undefined;
    const key = `call ${number ?? (textOf(id) || at)}`;
    return { kind: "call", key, id: orNull(id), name: orNull(name), text: textOf(args), index: number };
  });
  return [...reasoningOf(chunk), ...contentOf(chunk.content), ...calls];
}

/** Returns the blocks of a whole message. */
export function blocksOf(message: JsonObject): MessagePiece[] {
  const calls = listOf(message.tool_calls).map(({ id, name, args }, at): MessagePiece => {
    return { kind: "call", key: `call ${at}`, id: orNull(id), name: orNull(name), text: JSON.stringify(args ?? {}) };
  });
  const broken = listOf(message.invalid_tool_calls).map((call, at): MessagePiece => {
    return { kind: "block", key: `invalid ${at}`, block: { ...call, type: "invalid_tool_call" } };
  });
  return [...reasoningOf(message), ...contentOf(message.content), ...calls, ...broken];
}

/** Some models put their reasoning beside the content and not into a block. */
function reasoningOf({ additional_kwargs }: JsonObject): MessagePiece[] {
  const text = isObject(additional_kwargs) ? textOf(additional_kwargs.reasoning_content) : "";
  return text === "" ? [] : [{ kind: "reasoning", key: "reasoning beside", text }];
}

function contentOf(content: unknown): MessagePiece[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", key: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown, at) => pieceOf(block, at));
}

/** Tool calls are repeated in the content in the provider's form. They are read from their own list instead. */
const LISTED_AS_CALLS = new Set(["tool_use", "input_json_delta", "tool_call", "tool_call_chunk", "function_call"]);

function pieceOf(block: unknown, at: number): MessagePiece[] {
  if (typeof block === "string") return contentOf(block);
  if (!isObject(block)) return [];
  const type = textOf(block.type);
  if (LISTED_AS_CALLS.has(type)) return [];
  const place = typeof block.index === "number" || typeof block.index === "string" ? ` ${block.index}` : "";
  switch (type) {
    case "text":
    case "text_delta":
      return textOf(block.text) === "" ? [] : [{ kind: "text", key: `text${place}`, text: textOf(block.text) }];
    case "thinking":
    case "reasoning": {
      const text = textOf(block.thinking) || textOf(block.reasoning) || listOf(block.summary).map(summaryText).join("");
      return text === "" ? [] : [{ kind: "reasoning", key: `reasoning${place}`, text }];
    }
    default:
      return [{ kind: "block", key: `block ${at}`, block: standardBlock(type, block) }];
  }
}

const summaryText = ({ text }: JsonObject): string => textOf(text);

const STANDARD = new Set([
  "image",
  "audio",
  "video",
  "file",
  "non_standard",
  "invalid_tool_call",
  "server_tool_call",
  "server_tool_call_chunk",
  "server_tool_result",
]);

/** Converts a block to one of the protocol. An unknown type is wrapped (docs/api/thread-streams.md#messages). */
function standardBlock(type: string, block: JsonObject): JsonObject {
  if (type === "image_url") {
    const { image_url } = block;
    return { type: "image", url: isObject(image_url) ? image_url.url : image_url };
  }
  if (type === "input_audio") {
    const { data, format } = isObject(block.input_audio) ? block.input_audio : block;
    return { type: "audio", base64: data, ...(typeof format === "string" && { mime_type: `audio/${format}` }) };
  }
  if (!STANDARD.has(type)) return { type: "non_standard", value: block };
  const { mimeType, ...rest } = block;
  return mimeType === undefined ? rest : { mime_type: mimeType, ...rest };
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const orNull = (value: unknown): string | null => (typeof value === "string" ? value : null);
