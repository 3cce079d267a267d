import { cleanName, IMAGE_BYTES, imageTypeOf, tooLarge } from "../rules/threads/attachment-limits.ts";
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

/** The bytes that tell an image, a text and other files apart. */
const BEGINNING_BYTES = 1_024;

async function readFile(file: File): Promise<Attachment | string> {
  const isTooLarge = file.size > IMAGE_BYTES;
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    // The beginning of a file that is too large for any kind tells its kind.
    bytes = new Uint8Array(await (isTooLarge ? file.slice(0, BEGINNING_BYTES) : file).arrayBuffer());
  } catch {
    return "could not be read. It may be a folder, or it has changed or is gone.";
  }
  const name = cleanName(file.name);
  const image = imageTypeOf(bytes);
  if (image && isTooLarge) return tooLarge(true);
  if (image) return imageAttachment(name, image, base64Of(bytes));
  const text = textIn(bytes, isTooLarge);
  if (text === undefined) return "is neither an image (PNG, JPEG, GIF, WebP) nor a text file in UTF-8.";
  if (isTooLarge) return tooLarge(false);
  return textAttachment(name, file.type || "text/plain", text);
}

/** `isCut`: the bytes may end within a character. */
function textIn(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
