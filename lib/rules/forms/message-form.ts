/** Shows messages as a graph's input and state have them, in each form that LangChain takes, and edits them in that form. */
import { isObject, type JsonObject } from "../../protocol/json.ts";

export const messageRoles = ["human", "ai", "system", "tool"] as const;
export type MessageRole = (typeof messageRoles)[number];

/** The names of roles that clients of OpenAI's form use. */
const OTHER_NAMES: Readonly<Record<string, MessageRole>> = { user: "human", assistant: "ai", developer: "system" };
const BY_ROLE: Readonly<Record<MessageRole, string>> = {
  human: "user",
  ai: "assistant",
  system: "system",
  tool: "tool",
};

export interface MessageView {
  /** One of `messageRoles`, or the text with which a message names another role. */
  readonly role: string;
  /** Text, or a list of content blocks; undefined if there is no content. */
  readonly content: unknown;
  /** The members beside role and content. */
  readonly others: JsonObject;
}

/** Reads an item of a list of messages; undefined for what is no message. Text alone is a message of a person. */
export function readMessage(item: unknown): MessageView | undefined {
  if (typeof item === "string") return { role: "human", content: item, others: {} };
  if (!isObject(item)) return undefined;
  const key = roleKeyOf(item);
  if (key === undefined) return undefined;
  const { [key]: role, content, ...others } = item;
  const name = String(role);
  return { role: Object.hasOwn(OTHER_NAMES, name) ? (OTHER_NAMES[name] ?? name) : name, content, others };
}

function roleKeyOf(message: JsonObject): "role" | "type" | undefined {
  if (typeof message.role === "string") return "role";
  return typeof message.type === "string" && !("lc" in message) ? "type" : undefined;
}

/** Returns which message of an input says nothing, in words; undefined if none. Calls of tools need no text. */
export function emptyMessage(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  for (const list of Object.values(input)) {
    const at = Array.isArray(list) ? list.findIndex(isEmptyMessage) : -1;
    if (at >= 0) return `Message ${at + 1} is empty. Write its text, or remove it.`;
  }
  return undefined;
}

function isEmptyMessage(item: unknown): boolean {
  const message = isObject(item) ? readMessage(item) : undefined;
  if (!message || !messageRoles.some((one) => one === message.role)) return false;
  const { content, others } = message;
  const isEmpty = typeof content === "string" ? content.trim() === "" : Array.isArray(content) && content.length === 0;
  return isEmpty && Object.keys(others).length === 0;
}

/** Sets the role, under the name that the message uses. */
export function withRole(item: unknown, role: MessageRole): JsonObject {
  const message = asMessage(item);
  return roleKeyOf(message) === "role" ? { ...message, role: BY_ROLE[role] } : { ...message, type: role };
}

/** Sets the content; undefined removes it. Text alone stays text. */
export function withContent(item: unknown, content: unknown): unknown {
  if (typeof item === "string" && typeof content === "string") return content;
  const { content: _, ...others } = asMessage(item);
  return content === undefined
    ? others
    : "content" in asMessage(item)
      ? { ...asMessage(item), content }
      : { ...others, content };
}

/** Replaces the members beside role and content. */
export function withOthers(item: unknown, others: JsonObject): JsonObject {
  const message = asMessage(item);
  const key = roleKeyOf(message) ?? "type";
  return {
    ...(key in message && { [key]: message[key] }),
    ...("content" in message && { content: message.content }),
    ...others,
  };
}

function asMessage(item: unknown): JsonObject {
  return isObject(item) ? item : { type: "human", content: item };
}

/** A file that a person has chosen. `text` is set for text files, `base64` for others. */
export type ChosenFile = { readonly name: string; readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly base64: string }
);

/** Returns the content block for a file: text as text under its name, images as data URLs, others as base64. */
export function blockOfFile(file: ChosenFile): JsonObject {
  if ("text" in file) return { type: "text", text: `${file.name}:\n\n${file.text}` };
  if (file.mimeType.startsWith("image/")) {
    return { type: "image_url", image_url: { url: `data:${file.mimeType};base64,${file.base64}` } };
  }
  return {
    type: "file",
    source_type: "base64",
    mime_type: file.mimeType,
    data: file.base64,
    metadata: { filename: file.name },
  };
}

/** Adds a block to a content. Text becomes the first block, if there is any. */
export function withBlock(content: unknown, block: JsonObject): unknown[] {
  if (Array.isArray(content)) return [...(content as unknown[]), block];
  if (content === undefined || content === null || content === "") return [block];
  return [typeof content === "string" ? { type: "text", text: content } : content, block];
}

/** Returns whether a content block is text that can be edited as text. */
export function isTextBlock(block: unknown): block is JsonObject & { text: string } {
  return isObject(block) && block.type === "text" && typeof block.text === "string";
}
