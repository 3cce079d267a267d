import { type Attachment, fileText, renamed } from "./attachments.ts";
import { type ImageType, viewOf } from "./content.ts";

const KB = 1024;
const MB = 1024 * KB;

/** Anthropic refuses images above 5 MiB of base64, which are 3.75 MiB. */
export const IMAGE_BYTES = 3.5 * MB;
export const TEXT_BYTES = 512 * KB;
/** The API refuses bodies above 10 MiB, and base64 is a third longer than its bytes. */
export const TOGETHER_BYTES = 6.5 * MB;
export const MOST_FILES = 10;
/** The most characters of a request for its blocks, escaped. It leaves room for the question and the rest. */
const SENT_CHARACTERS = 9 * MB;

/** Returns the image type that the first bytes of a file show; undefined if it is none of these. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const begins = (at: number, ...signature: readonly number[]): boolean =>
    signature.every((byte, index) => bytes[at + index] === byte);
  if (begins(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png";
  if (begins(0, 0xff, 0xd8, 0xff)) return "image/jpeg";
  if (begins(0, 0x47, 0x49, 0x46, 0x38)) return "image/gif";
  return begins(0, 0x52, 0x49, 0x46, 0x46) && begins(8, 0x57, 0x45, 0x42, 0x50) ? "image/webp" : undefined;
}

/** Returns the size of an attachment in bytes. */
export function sizeOf(attachment: Attachment): number {
  const view = viewOf(attachment.block);
  if (view.kind === "image") return view.bytes;
  const text = view.kind === "text" ? fileText(attachment, view.text) : JSON.stringify(view.value);
  return new TextEncoder().encode(text).length;
}

/** Files of a question that is being written, and why others were left out. */
export interface Attached {
  readonly attachments: readonly Attachment[];
  readonly problems: readonly string[];
}

/** Adds files to those of a question, for as long as they keep the limits. Names that are taken get a number. */
export function attach(attached: readonly Attachment[], files: readonly Attachment[]): Attached {
  const attachments = [...attached];
  const problems: string[] = [];
  for (const given of files) {
    const file = renamed(
      given,
      freeName(
        given.name,
        attachments.map((one) => one.name),
      ),
    );
    const problem = problemOf(file, attachments);
    if (problem === undefined) attachments.push(file);
    else problems.push(`${given.name} ${problem}`);
  }
  return { attachments, problems };
}

/** Says that a file is larger than the most for its kind. */
export function tooLarge(isImage: boolean): string {
  return isImage
    ? "is larger than 3.5 MB, the most that models take of an image."
    : "is larger than 512 KB, the most for a text file.";
}

/** Returns why a file cannot join those that are attached; undefined if it can. */
function problemOf(next: Attachment, attached: readonly Attachment[]): string | undefined {
  const size = sizeOf(next);
  const isImage = viewOf(next.block).kind === "image";
  if (size === 0) return "is empty.";
  if (size > (isImage ? IMAGE_BYTES : TEXT_BYTES)) return tooLarge(isImage);
  if (attached.length >= MOST_FILES) return `was left out: a message takes ${MOST_FILES} files.`;
  const together = attached.reduce((sum, one) => sum + sizeOf(one), size);
  if (together > TOGETHER_BYTES || charactersOf([...attached, next]) > SENT_CHARACTERS)
    return "was left out: all files together may have 6.5 MB.";
  return undefined;
}

function charactersOf(attachments: readonly Attachment[]): number {
  return attachments.reduce((sum, { block }) => {
    const view = viewOf(block);
    return sum + (view.kind === "image" ? view.url.length : new TextEncoder().encode(JSON.stringify(block)).length);
  }, 0);
}

const LONGEST_NAME = 120;

/** Returns a name in one line without characters that change how other text is shown. */
export function cleanName(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]+/gu, " ").trim();
  const letters = Array.from(line);
  if (letters.length <= LONGEST_NAME) return line || "file";
  const ending = /\.\w{1,8}$/.exec(line)?.[0] ?? "";
  return `${letters.slice(0, LONGEST_NAME - ending.length - 1).join("")}…${ending}`;
}

/** Returns the name, or one with a number if another file has it: `notes (2).txt`. */
export function freeName(name: string, taken: readonly string[]): string {
  const [, stem = name, ending = ""] = /^(.+?)(\.\w{1,8})?$/su.exec(name) ?? [];
  let free = name;
  for (let number = 2; taken.includes(free); number++) free = `${stem} (${number})${ending}`;
  return free;
}
