// Puts the answers of the built-in model into words. Pure.
import {
  CalculateResult,
  ConvertUnitsResult,
  CurrentTimeResult,
  type Passage,
  SearchDocsResult,
  type ToolCall,
} from "../tools/contract.ts";
import type { SmallTalk } from "./small-talk.ts";

/** A tool call with its answer: a text, which is JSON if the call succeeded. */
export type Outcome = { call: ToolCall; content: string; failed: boolean };

const CAN: Record<ToolCall["name"], string> = {
  calculate: "**Calculate**: *what is 12\\*(3+4)?*, *17% of 230*, *sqrt(2)*",
  current_time: "**Tell the time and the date** anywhere: *what time is it in Tokyo?*",
  convert_units: "**Convert units**: *10 km to miles*, *72 °F in °C*, *5 GiB in MB*",
  search_docs: "**Search the documentation** of this project: *how do I deploy?*, *what is a thread?*",
};

const SET_A_MODEL = `To chat freely, start the server with a language model:

\`\`\`sh
AGENT_MODEL=anthropic:<model> ANTHROPIC_API_KEY=… npm start
AGENT_MODEL=openai:<model> OPENAI_API_KEY=… npm start
AGENT_MODEL=openai:<model> OPENAI_BASE_URL=http://127.0.0.1:11434/v1 npm start   # Ollama, vLLM, LM Studio
\`\`\``;

const TALK: Record<Exclude<SmallTalk, "help">, string> = {
  greeting:
    "Hello! Ask me to calculate, to convert units, for the time somewhere, or about this project. *help* shows more.",
  thanks: "You are welcome!",
  farewell: "Goodbye!",
  wellbeing: "All is well here, thank you. What can I do for you?",
  identity:
    "I am Graphlib's built-in model: a small program that recognises a few kinds of questions, calls tools and answers " +
    "from their results. I am no language model, and I need neither a key nor a network. Say *help* for what I can do.",
  model: SET_A_MODEL,
};

function helpReply(tools: ReadonlySet<string>): string {
  const can = Object.entries(CAN).flatMap(([name, text]) => (tools.has(name) ? [`- ${text}`] : []));
  if (can.length === 0) return `I have no tools here, so there is little I can do.\n\n${SET_A_MODEL}`;
  return `Here is what I can do:\n\n${can.join("\n")}\n\n${SET_A_MODEL}`;
}

export function attachmentsReply(attachments: readonly string[]): string {
  const list = attachments.map((one) => `- ${one}`).join("\n");
  return `I got this with your message:\n\n${list}\n\nI am the built-in model, and I cannot look into it. ${SET_A_MODEL}`;
}

export function unknownReply(tools: ReadonlySet<string>): string {
  return `I am the built-in model and did not recognise that. ${helpReply(tools)}`;
}

export function smallTalkReply(talk: SmallTalk, tools: ReadonlySet<string>): string {
  return talk === "help" ? helpReply(tools) : TALK[talk];
}

export function outcomesReply(outcomes: readonly Outcome[]): string {
  const answers = outcomes.map(outcomeReply);
  const short = answers.every((answer) => !answer.includes("\n"));
  if (answers.length > 1 && short) return answers.map((answer) => `- ${answer}`).join("\n");
  return answers.join("\n\n");
}

function outcomeReply({ call, content, failed }: Outcome): string {
  if (failed) return failureReply(call, content);
  const result = parseJson(content);
  switch (call.name) {
    case "calculate":
      return replyIf(CalculateResult.safeParse(result).data, content, (r) => `${code(r.expression)} = **${r.result}**`);
    case "convert_units":
      return replyIf(ConvertUnitsResult.safeParse(result).data, content, (r) => `${r.from} = **${r.to}**`);
    case "current_time":
      return replyIf(CurrentTimeResult.safeParse(result).data, content, timeReply);
    case "search_docs":
      return replyIf(SearchDocsResult.safeParse(result).data, content, searchReply);
  }
}

/** Returns the tool's own words if it answers in another form: it may only share the name of the known tool. */
function replyIf<T>(result: T | undefined, content: string, format: (result: T) => string): string {
  return result === undefined ? content : format(result);
}

function timeReply({ place, zone, date, time, offset }: CurrentTimeResult): string {
  const where = place && place.toLowerCase() !== zone.toLowerCase() ? ` in ${capitalized(place)}` : "";
  return `It is **${time}** on **${date}**${where} (${zone === "UTC" ? zone : `${zone}, ${offset}`}).`;
}

function searchReply({ query, passages, note }: SearchDocsResult): string {
  const [first, ...others] = passages;
  if (!first) return note ?? `I found nothing about “${query}” in this project's documentation.`;
  const more = others.filter((other) => other.file !== first.file || other.heading !== first.heading);
  const also = more.length > 0 ? `\n\nSee also ${more.map(sourceOf).join(" and ")}.` : "";
  return `From ${sourceOf(first)}:\n\n${quote(first.text)}${also}`;
}

function sourceOf({ file, heading }: Passage): string {
  return heading === file ? code(file) : `${code(file)}, *${heading}*`;
}

const TASKS: Record<ToolCall["name"], string> = {
  calculate: "I could not calculate that",
  convert_units: "I could not convert that",
  current_time: "I could not tell that time",
  search_docs: "I could not search the documentation",
};

function failureReply(call: ToolCall, content: string): string {
  // The frame that ToolNode puts around the message of an error is meant for language models.
  const reason = content
    .replace(/^Error: /u, "")
    .replace(/\s*Please fix your mistakes\.$/u, "")
    .trim();
  const what = call.name === "calculate" ? ` (${code(call.args.expression)})` : "";
  return `${TASKS[call.name]}${what}: ${reason}`;
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

function code(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}

function quote(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

function capitalized(place: string): string {
  return place === place.toLowerCase() ? place.replace(/\b\p{Ll}/gu, (letter) => letter.toUpperCase()) : place;
}
