/**
 * Lines of a worker as text. The process that writes them runs code that nobody has looked at, and that code can write
 * to the channel as well: a line is what it says only after it has been parsed here.
 */
import { isAsk } from "./checkpoint-asks.ts";
import { isDeeperThan, isObject, type JsonObject } from "./json.ts";
import { isHeavy } from "./json-weight.ts";
import { modeOf } from "./stream.ts";
import type { ThreadEnd } from "./threads.ts";
import { lineSchemas } from "./worker-schemas.ts";
import type { RunEnded, WorkerMessage } from "./worker.ts";

/**
 * Longest line that is sent and taken, in characters. A worker fails the one run or question whose line would be longer.
 * Checkpoints of several attachments fit; the longest line takes the host about 0.2 s.
 */
export const LONGEST_LINE = 32 * 1024 * 1024;
/** What a graph tells is cut off at 400 levels; from several thousand on `JSON.stringify` runs out of stack. */
const DEEPEST = 1_000;
const LONGEST_ID = 200;
/** Namespaces of nested graphs are part of an event's name. */
const LONGEST_NAME = 16 * 1024;
/** Heads of lines that are remembered: a run has one for each kind of event. */
const HEADS = 256;

/** Why a line is none. Says what was wrong and where, and nothing of what the line holds: it may be a user's. */
export class BadLine extends Error {
  override readonly name = "BadLine";
}

/** What stands before the data of a line. */
type Head = { run: string; token: number } & ({ type: "event"; event: string } | { type: "values" });

type Ask = Extract<WorkerMessage, { type: "ask" }>;

/**
 * The forms a line from a worker takes at the host: one with its payload as text, or a parsed message. `size` is the
 * length of a question's line.
 */
export type WorkerLine =
  | (Head & { data: string })
  | (Ask & { size: number })
  | Exclude<WorkerMessage, Ask | { type: Head["type"] }>;

const DATA_KEY = ',"data":';

/** `data` is JSON text already. */
export function encodeEventLine(run: string, token: number, event: string, data: string): string {
  return `${headText({ type: "event", run, token, event })}${DATA_KEY}${data}}\n`;
}

/** `thread.values` is JSON text already: it goes ahead, in a line of its own. */
export function encodeEndLines(end: Omit<RunEnded, "type" | "thread">, thread?: ThreadEnd): string {
  if (!thread) return `${JSON.stringify({ type: "end", ...end })}\n`;
  const { values, ...rest } = thread;
  const head = headText({ type: "values", run: end.run, token: end.token });
  return `${head}${DATA_KEY}${values}}\n${JSON.stringify({ type: "end", ...end, thread: rest })}\n`;
}

function headText(head: Head): string {
  const text = `{"type":"${head.type}","run":${JSON.stringify(head.run)},"token":${head.token}`;
  return head.type === "event" ? `${text},"event":${JSON.stringify(head.event)}` : text;
}

/** Parses the lines of one worker, which come without their newline. Throws `BadLine`. */
export function lineDecoder(): (line: string) => WorkerLine {
  const known = new Map<string, Head>();

  const readHead = (text: string): Head => {
    const head = parseHead(text);
    // A text of its own: a part of `text` would keep the whole of what was read with it.
    const own = headText(head);
    if (own !== text) return head;
    if (known.size >= HEADS) known.clear();
    known.set(own, head);
    return head;
  };

  return (line) => {
    if (!line.startsWith('{"type":"event"') && !line.startsWith('{"type":"values"')) return parseMessage(line);
    // A quote inside of a JSON string is escaped, so the first one stands outside of any string.
    const cut = line.indexOf(DATA_KEY);
    if (cut < 0 || !line.endsWith("}")) throw new BadLine("a line of an event without data");
    const text = line.slice(0, cut);
    const head = known.get(text) ?? readHead(text);
    const data = line.slice(cut + DATA_KEY.length, -1);
    if (head.type === "values") requireState(data);
    else if (!looksLikeJson(data)) throw new BadLine("event: data: expected one JSON value");
    else weigh(data);
    return { ...head, data };
  };
}

function parseHead(text: string): Head {
  const head = parse(`${text}}`);
  if (!isObject(head)) throw new BadLine("a line that is no object");
  const { type, run, token, event } = head;
  if (!isRun(run) || !isCount(token)) throw new BadLine("event: run: expected a run and its token");
  if (type === "values") return { type, run, token };
  if (type !== "event" || typeof event !== "string" || !isEventName(event))
    throw new BadLine("event: event: expected the name of a stream mode");
  return { type, run, token, event };
}

/** A stream mode and its namespace. `end`, `error` and `metadata` are the host's own words. */
function isEventName(event: string): boolean {
  return event.length <= LONGEST_NAME && !/\p{Cc}/u.test(event) && modeOf(event) !== undefined;
}

function isRun(value: unknown): value is string {
  return typeof value === "string" && value.length <= LONGEST_ID;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/**
 * Finds what was cut or glued together, for next to nothing. What it lets pass that is no JSON reaches those who read
 * the run, as it is: wherever the host looks into an event it expects anything, and no text can leave its line.
 */
function looksLikeJson(data: string): boolean {
  const first = data[0];
  const last = data.at(-1);
  if (first === "{") return last === "}";
  if (first === "[") return last === "]";
  if (first === '"') return data.length > 1 && last === '"';
  return data.length <= 64 && isJson(data);
}

/** A thread's values are read by whoever lists threads. */
function requireState(data: string): void {
  weigh(data);
  requireDepth(parse(data));
}

function parseMessage(line: string): WorkerLine {
  weigh(line);
  const message = parse(line);
  if (!isObject(message)) throw new BadLine("a line that is no object");
  if (message.type === "ask") return { ...parseAsk(message), size: line.length };
  requireDepth(message);
  const type = typeof message.type === "string" ? message.type : "";
  if (!isKnown(type)) throw new BadLine("a line of no known type");
  const parsed = lineSchemas[type].safeParse(message);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = [type, ...(issue?.path ?? [])].map((step) => String(step).slice(0, 40)).slice(0, 8);
  throw new BadLine(`${place.join(": ")}: ${issue?.message.slice(0, 100) ?? "rejected"}`);
}

function isKnown(type: string): type is keyof typeof lineSchemas {
  return Object.hasOwn(lineSchemas, type);
}

function requireDepth(value: unknown): void {
  if (isDeeperThan(value, DEEPEST)) throw new BadLine(`a line that is nested deeper than ${DEEPEST} levels`);
}

/** By hand: a graph asks several times in each of its steps. */
function parseAsk({ id, run, token, ask }: JsonObject): Ask {
  if (!isCount(id) || !isRun(run) || !isCount(token))
    throw new BadLine("ask: run: expected an id, a run and its token");
  if (!isAsk(ask)) throw new BadLine("ask: ask: expected a question about checkpoints or the store");
  if (ask.about === "store" || ask.do === "list") requireDepth(ask);
  return { type: "ask", id, run, token, ask };
}

/** An event as well: whoever reads its run parses what it tells. */
function weigh(text: string): void {
  if (isHeavy(text)) throw new BadLine("a line of too many values");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadLine("a line that is not JSON");
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
