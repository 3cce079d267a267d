// Tells what a message has besides its question. Pure.
import type { MessageContent } from "@langchain/core/messages";

export type Content = {
  question: string;
  /** A line for each file and other block. */
  attachments: string[];
};

/** The line with which a chat begins the text of a file: `Attached file notes.txt:`. */
const HEADING = /^Attached file (?<name>[^\n]{1,200}):\n\n/u;
const IMAGE = /^data:(?<type>image\/[\w.+-]{1,40});base64,/u;

/** Separates the question of a message from its files. */
export function readContent(content: MessageContent): Content {
  if (typeof content === "string") return { question: content, attachments: [] };
  const question: string[] = [];
  const attachments: string[] = [];
  for (const block of content) {
    const text = block.type === "text" && typeof block["text"] === "string" ? block["text"] : undefined;
    const name = text === undefined ? undefined : HEADING.exec(text)?.groups?.["name"];
    if (text === undefined) attachments.push(describe(block));
    else if (name === undefined) question.push(text);
    else
      attachments.push(
        `a text file of ${counted(text.replace(HEADING, "").replace(/\n$/u, "").split("\n").length, "line")}: ${plain(name)}`,
      );
  }
  return { question: question.join(""), attachments };
}

function describe(block: { type: string; image_url?: unknown; [key: string]: unknown }): string {
  const given = block.image_url;
  const url = typeof given === "object" && given !== null && "url" in given ? given.url : given;
  const type = typeof url === "string" ? IMAGE.exec(url)?.groups?.["type"] : undefined;
  if (type === undefined || typeof url !== "string") return `a block of the type ${plain(block.type)}`;
  const bytes = Math.floor(((url.length - url.indexOf(",") - 1) * 3) / 4);
  return `an image (${type}) of ${counted(Math.max(1, Math.round(bytes / 1024)), "kilobyte")}`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Returns a name as code, so that nothing in it is Markdown. */
const plain = (name: string): string => `\`${name.replaceAll("`", "'")}\``;
