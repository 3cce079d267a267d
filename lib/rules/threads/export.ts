import { fileText } from "./attachments.ts";
import { viewOf } from "./content.ts";
import { partsOf, type Turn, type TurnPart } from "./transcript.ts";

/**
 * Writes a conversation as one Markdown document. Everything that people, models and tools wrote stands in block quotes, one
 * for each part, so that no open fence, heading or comment in it reaches the rest of the document.
 */
export function conversationMarkdown(title: string, assistant: string, turns: readonly Turn[]): string {
  const sections = turns.flatMap((turn) => {
    const asked = questionParts(turn);
    const said = answerParts(turn);
    return [
      ...(asked.length > 0 ? ["## You", ...asked.map(quote)] : []),
      ...(said.length > 0 ? [`## ${inline(assistant)}`, ...said.map(quote)] : []),
    ];
  });
  return `${[`# ${inline(title) || "Conversation"}`, ...sections].join("\n\n")}\n`;
}

function questionParts({ question, attachments = [] }: Turn): string[] {
  const files = attachments.map((attachment) => {
    const view = viewOf(attachment.block);
    const name = `**Attachment:** ${code(attachment.name || "without a name")} ${inline(attachment.type)}`.trimEnd();
    if (view.kind === "image") return name;
    return `${name}\n\n${view.kind === "text" ? fence(fileText(attachment, view.text)) : fenceJson(view.value)}`;
  });
  return [...(question === "" ? [] : [question]), ...files];
}

function answerParts(turn: Turn): string[] {
  const parts = partsOf(turn, false).map(partMarkdown);
  const waiting = turn.interrupts.map(({ value }) => `**Waiting for an answer:**\n\n${fenceJson(value)}`);
  const error = turn.error ? [`**${inline(turn.error.error)}**\n\n${fence(turn.error.message)}`] : [];
  return [...parts, ...waiting, ...error];
}

function partMarkdown(part: TurnPart): string {
  if (part.kind === "text") return part.text;
  if (part.kind === "block") return blockMarkdown(part.block);
  const result = part.result === undefined ? "no result" : `result${part.state === "failed" ? " (failed)" : ""}:`;
  return [
    `**Tool** ${code(part.name)}, arguments:`,
    fence(part.args),
    result,
    ...(part.result === undefined ? [] : [fence(part.result)]),
    ...(part.blocks ?? []).map(blockMarkdown),
  ].join("\n\n");
}

function blockMarkdown(block: unknown): string {
  const view = viewOf(block);
  if (view.kind === "image") return `**Image** ${inline(view.type)}`;
  return view.kind === "text" ? fence(view.text) : fenceJson(view.value);
}

const lines = (text: string): string[] => text.split(/\r\n|\r|\n/);

const quote = (text: string): string =>
  lines(text)
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");

const fenceJson = (value: unknown): string => fence(JSON.stringify(value, null, 2) ?? "null");

/** Fences a text by more backticks than it has in a row. */
function fence(text: string): string {
  const ticks = "`".repeat(Math.max(3, longestTicks(text) + 1));
  return `${ticks}\n${text}\n${ticks}`;
}

function code(text: string): string {
  const ticks = "`".repeat(longestTicks(text) + 1);
  return `${ticks} ${oneLine(text)} ${ticks}`;
}

function longestTicks(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Returns a text in one line in which no character is Markdown. */
const inline = (text: string): string => oneLine(text).replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`);

const LONGEST_NAME = 60;

/** Returns a name for a file that every system accepts, whatever the title holds. */
export function exportFileName(title: string, ending: "md" | "json"): string {
  const words = title
    .normalize("NFKC")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  const stem = Array.from(words).slice(0, LONGEST_NAME).join("").replace(/-+$/, "") || "conversation";
  // Windows reserves names such as CON, with any ending.
  return `${/^(con|prn|aux|nul|com\d|lpt\d)$/i.test(stem) ? `thread-${stem}` : stem}.${ending}`;
}
