import { isObject, type JsonObject } from "../../protocol/json.ts";

/** The image types that browsers and models both read. SVG is left out: it is a document with scripts and links. */
export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** A content block as it is shown. An `image` has its data in its `url`, so that no host is asked for it. */
export type BlockView =
  | { readonly kind: "image"; readonly type: ImageType; readonly url: string; readonly bytes: number }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "json"; readonly value: unknown };

/** Returns the text of a message: its content if that is a string, else the texts of its blocks. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((block) => blockText(block) ?? "").join("");
}

/** Returns the text of a block that is text; undefined for any other block. */
export function blockText(block: unknown): string | undefined {
  if (typeof block === "string") return block;
  return isObject(block) && typeof block.text === "string" && TEXTUAL.has(block.type) ? block.text : undefined;
}

/** Types of blocks whose `text` is the message's text. Some servers leave the type out. */
const TEXTUAL = new Set<unknown>(["text", "text_delta", "output_text", "input_text", undefined]);

/** Types of blocks that repeat the message's tool calls. */
const CALLS = new Set<unknown>([
  "tool_use",
  "tool_call",
  "tool_call_chunk",
  "input_json_delta",
  "function_call",
  "functionCall",
]);

/** Returns the blocks of a message that are neither its text nor its tool calls. */
export function otherBlocks(content: unknown): readonly unknown[] {
  if (!Array.isArray(content)) return [];
  return content.filter((block) => blockText(block) === undefined && !(isObject(block) && CALLS.has(block.type)));
}

/** Returns how a block is shown. Everything that is neither text nor an image with its data is shown as JSON. Total. */
export function viewOf(block: unknown): BlockView {
  const text = blockText(block);
  if (text !== undefined) return { kind: "text", text };
  if (!isObject(block)) return { kind: "json", value: block };
  if (block.type === "text-plain" && typeof block.text === "string") return { kind: "text", text: block.text };
  return imageIn(block) ?? { kind: "json", value: block };
}

/** Reads the image blocks of LangChain (both generations), OpenAI and Anthropic. */
function imageIn(block: JsonObject): BlockView | undefined {
  if (block.type === "image_url") {
    return imageAt(isObject(block.image_url) ? block.image_url.url : block.image_url);
  }
  if (block.type !== "image") return undefined;
  if (typeof block.url === "string") return imageAt(block.url);
  const source = isObject(block.source) ? block.source : block;
  const type = source.mimeType ?? source.mime_type ?? source.media_type;
  const data = source.data ?? source.base64;
  return typeof data === "string" && typeof type === "string" ? imageAt(`data:${type};base64,${data}`) : undefined;
}

function imageAt(url: unknown): BlockView | undefined {
  if (typeof url !== "string") return undefined;
  const type = IMAGE_TYPES.find((one) => url.startsWith(`data:${one};base64,`));
  return type && { kind: "image", type, url, bytes: bytesOf(url, url.indexOf(",") + 1) };
}

/** Returns the number of bytes that base64 from `start` on stands for. */
function bytesOf(base64: string, start: number): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor(((base64.length - start) * 3) / 4) - padding);
}
