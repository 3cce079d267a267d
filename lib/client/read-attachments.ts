import { cleanName, IMAGE_BYTES, imageTypeOf } from "../rules/threads/attachment-limits.ts";
import { type Attachment, imageAttachment, textAttachment } from "../rules/threads/attachments.ts";
import { base64Of } from "./base64.ts";

export { attach } from "../rules/threads/attachment-limits.ts";

/** Files that were read, and a sentence for each one that cannot be attached. */
export interface ReadAttachments {
  readonly files: readonly Attachment[];
  readonly problems: readonly string[];
}

/** Reads files that a person chose, pasted or dropped. What they are is decided by their bytes, not by their names. */
export async function readAttachments(chosen: readonly File[]): Promise<ReadAttachments> {
  const files: Attachment[] = [];
  const problems: string[] = [];
  for (const file of chosen) {
    const read = await readFile(file);
    if (typeof read === "string") problems.push(`${cleanName(file.name)} ${read}`);
    else files.push(read);
  }
  return { files, problems };
}

async function readFile(file: File): Promise<Attachment | string> {
  if (file.size > IMAGE_BYTES) return "is larger than 3.5 MB, the most for a file.";
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return "could not be read. It may be a folder, or it has changed or is gone.";
  }
  const name = cleanName(file.name);
  const image = imageTypeOf(bytes);
  if (image) return imageAttachment(name, image, base64Of(bytes));
  const text = textIn(bytes);
  if (text === undefined) return "is neither an image (PNG, JPEG, GIF, WebP) nor a text file in UTF-8.";
  return textAttachment(name, file.type || "text/plain", text);
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
