import { isObject, type JsonObject } from "../../protocol/json.ts";
import { blockText, type ImageType, viewOf } from "./content.ts";

/** A file of a question. `block` is the content block that the model gets, in whatever form a client wrote it. */
export interface Attachment {
  /** Empty if the message does not tell it. */
  readonly name: string;
  /** The media type; empty if it is unknown. */
  readonly type: string;
  readonly block: unknown;
}

/** The limits of `attachment-limits.ts` in words. */
export const LIMITS =
  "Images (PNG, JPEG, GIF, WebP) up to 3.5 MB and text files up to 512 KB, ten files and 6.5 MB in all";

export interface Question {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export function imageAttachment(name: string, type: ImageType, base64: string): Attachment {
  // The only image block that the adapters of OpenAI (both APIs) and Anthropic all pass on: docs/decisions/064-attachments-and-branches.md.
  return { name, type, block: { type: "image_url", image_url: { url: `data:${type};base64,${base64}` } } };
}

export function textAttachment(name: string, type: string, text: string): Attachment {
  return { name, type, block: { type: "text", text: heading(name) + text } };
}

/** The line by which a model learns the name of a text file. */
const heading = (name: string): string => `Attached file ${name}:\n\n`;

/** Returns the message of a question. Names of files stand beside the blocks, because OpenAI refuses unknown members. */
export function questionMessage(id: string, { text, attachments }: Question): JsonObject {
  if (attachments.length === 0) return { type: "human", id, content: text };
  const said = text === "" ? [] : [{ type: "text", text }];
  const named = attachments.map(({ name, type }, index) => ({ block: said.length + index, name, type }));
  const content = [...said, ...attachments.map(({ block }) => block)];
  return { type: "human", id, content, additional_kwargs: { attachments: named } };
}

/** Reads a person's message of any client. Text blocks that no name makes a file are the question. Total. */
export function readQuestion({ content, additional_kwargs }: JsonObject): Question {
  if (!Array.isArray(content)) return { text: typeof content === "string" ? content : "", attachments: [] };
  const named = namesIn(additional_kwargs);
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const [index, block] of (content as readonly unknown[]).entries()) {
    const given = named.get(index);
    const text = blockText(block);
    if (text !== undefined && !given) texts.push(text);
    else attachments.push({ ...(given ?? describe(block)), block });
  }
  return { text: texts.join(""), attachments };
}

type FileName = Pick<Attachment, "name" | "type">;

function namesIn(kwargs: unknown): ReadonlyMap<number, FileName> {
  const list: readonly unknown[] = isObject(kwargs) && Array.isArray(kwargs.attachments) ? kwargs.attachments : [];
  return new Map(
    list
      .filter(isObject)
      .flatMap(({ block, name, type }): [number, FileName][] =>
        typeof block === "number" ? [[block, { name: text(name), type: text(type) }]] : [],
      ),
  );
}

/** Reads name and type from a block of LangChain, which other clients write. */
function describe(block: unknown): FileName {
  if (!isObject(block)) return { name: "", type: "" };
  const metadata = isObject(block.metadata) ? block.metadata : {};
  const view = viewOf(block);
  const name = text(metadata.name) || text(metadata.filename) || text(metadata.title) || text(block.title);
  const type = view.kind === "image" ? view.type : text(block.mimeType) || text(block.mime_type);
  return { name, type };
}

/** Returns the attachment with another name, which a text file also has in its text. */
export function renamed(attachment: Attachment, name: string): Attachment {
  const text = blockText(attachment.block);
  if (name === attachment.name || text === undefined) return { ...attachment, name };
  return textAttachment(name, attachment.type, fileText(attachment, text));
}

/** Returns the text of a text file without the line that names it. */
export function fileText({ name }: Attachment, text: string): string {
  return text.startsWith(heading(name)) ? text.slice(heading(name).length) : text;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
