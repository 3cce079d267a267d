import type { ChosenFile } from "../rules/forms/message-form.ts";
import { base64Of } from "./base64.ts";

/** Larger files are refused: an input is sent as one body of JSON. */
export const LARGEST_FILE = 10_000_000;

const TEXT = /^text\/|^application\/(?:json|xml|yaml|toml|javascript|x-(?:yaml|ndjson|sh))\b|\+(?:json|xml)$/;
const TEXT_NAME = /\.(?:txt|md|csv|tsv|json|jsonl|ya?ml|toml|xml|html|css|[cm]?[jt]sx?|py|rs|go|java|rb|sh|sql|log)$/i;

/** Reads a file as text, if it is some, or else as base64. Throws if it is too large or cannot be read. */
export async function readFormFile(
  file: File,
  as: "base64" | "text or base64" = "text or base64",
): Promise<ChosenFile> {
  const { name, size, type } = file;
  if (size > LARGEST_FILE) throw new Error(`${name} is larger than ${LARGEST_FILE / 1_000_000} MB.`);
  const mimeType = type || "application/octet-stream";
  const isText = TEXT.test(type) || (!type.startsWith("image/") && TEXT_NAME.test(name));
  if (as !== "base64" && isText) return { name, mimeType, text: await file.text() };
  return { name, mimeType, base64: base64Of(new Uint8Array(await file.arrayBuffer())) };
}
