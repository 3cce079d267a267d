/** Converts between the parts of A2A messages and the content of graphs' messages. */
import type { Artifact, Part } from "../../protocol/a2a.ts";
import { readPart } from "../../protocol/a2a-parts.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { textOf } from "../threads/content.ts";

/** Returns the parts of a graph's message: its text as one part, then its files and data. */
export function partsOf(content: unknown): readonly Part[] {
  const text = textOf(content);
  const others = Array.isArray(content) ? content.filter(isObject).flatMap(blockPart) : [];
  return text === "" ? others : [{ kind: "text", text }, ...others];
}

/** Converts a content block in any of the forms that LangChain has had. Text is read by `textOf`. */
function blockPart(block: JsonObject): Part[] {
  switch (block.type) {
    case "image_url": {
      const url = isObject(block.image_url) ? block.image_url.url : block.image_url;
      return typeof url === "string" ? [fileAt(url, undefined, undefined)] : [];
    }
    case "image":
    case "audio":
    case "video":
    case "file":
      return filePart(block);
    case "data":
    case "json":
      return block.data === undefined ? [] : [{ kind: "data", data: block.data }];
    default:
      return [];
  }
}

function filePart(block: JsonObject): Part[] {
  const { metadata } = block;
  const mediaType = firstText(block.mimeType, block.mime_type, block.media_type);
  const name = firstText(block.filename, block.name, isObject(metadata) ? metadata.filename : undefined);
  const bytes = firstText(block.base64, block.source_type === "url" ? undefined : block.data);
  const url = firstText(block.url);
  if (bytes !== undefined && isBase64(bytes)) return [{ kind: "bytes", bytes, ...about(mediaType, name) }];
  return url === undefined ? [] : [fileAt(url, mediaType, name)];
}

const DATA_URL = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s;

function fileAt(url: string, mediaType: string | undefined, name: string | undefined): Part {
  const [, type, bytes] = DATA_URL.exec(url) ?? [];
  if (bytes === undefined) return { kind: "url", url, ...about(mediaType, name) };
  return { kind: "bytes", bytes, ...about(mediaType ?? (type || undefined), name) };
}

function about(mediaType: string | undefined, name: string | undefined): { mediaType?: string; name?: string } {
  return { ...(mediaType !== undefined && { mediaType }), ...(name !== undefined && { name }) };
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === "string" && value !== "") as string | undefined;
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Converts a person's parts to the content of a graph's message: one string, or blocks when there are files. */
export function contentOf(parts: readonly Part[]): string | JsonObject[] {
  if (!parts.some(isFile)) return parts.map(textual).join("\n");
  return parts.map((part) => (isFile(part) ? fileBlock(part) : { type: "text", text: textual(part) }));
}

export function isFile(part: Part): part is Extract<Part, { kind: "bytes" | "url" }> {
  return part.kind === "bytes" || part.kind === "url";
}

/** Converts a part that is not a file to text, since graphs read the content of a message as a string. */
function textual(part: Part): string {
  if (part.kind === "text") return part.text;
  return part.kind === "data" ? JSON.stringify(part.data) : "";
}

/** Converts an image to the block that every model's adapter accepts, another file to LangChain's standard block. */
function fileBlock(part: Extract<Part, { kind: "bytes" | "url" }>): JsonObject {
  const { mediaType = "application/octet-stream", name } = part;
  const url = part.kind === "url" ? part.url : `data:${mediaType};base64,${part.bytes}`;
  if (mediaType.startsWith("image/")) return { type: "image_url", image_url: { url } };
  const source = part.kind === "url" ? { source_type: "url", url } : { source_type: "base64", data: part.bytes };
  return { type: "file", ...source, mime_type: mediaType, ...(name !== undefined && { metadata: { filename: name } }) };
}

/** Converts an item of the state's `artifacts`: an A2A artifact, a single part, or anything else as data. */
export function artifactOf(value: unknown, artifactId: string): Artifact {
  if (!isObject(value)) return { artifactId, parts: [{ kind: "data", data: value ?? null }] };
  const { name, description, parts, artifactId: own } = value;
  const titles = {
    ...(typeof name === "string" && name !== "" && { name }),
    ...(typeof description === "string" && description !== "" && { description }),
  };
  const id = typeof own === "string" && own !== "" ? own : artifactId;
  const read = Array.isArray(parts) ? parts.map(wirePart) : [wirePart(value)];
  const known = read.filter((part) => part !== undefined);
  // A value with any other item among its parts is data, not an A2A artifact.
  if (known.length === 0 || known.length < read.length)
    return { artifactId: id, parts: [{ kind: "data", data: value }] };
  return { artifactId: id, ...titles, parts: known };
}

function wirePart(value: unknown): Part | undefined {
  const read = readPart(value, []);
  if (read.ok) return read.value;
  return isObject(value) ? blockPart(value)[0] : undefined;
}

/** The most characters of base64 that the history of a task keeps of one file. */
const SHOWN_BYTES = 64 * 1024;

/** Shortens a part for a task's history, which every response repeats: a large file keeps only its name and size. */
export function shortenedPart(part: Part): Part {
  if (part.kind !== "bytes" || part.bytes.length <= SHOWN_BYTES) return part;
  return {
    ...part,
    bytes: "",
    metadata: { ...part.metadata, omitted: true, size: Math.floor((part.bytes.length * 3) / 4) },
  };
}
