/**
 * Encodes and parses the lines of a worker. A worker runs untrusted code, which can write to the channel as well, so no
 * line is trusted before it has been validated here.
 */
import { isDeeperThan, isObject, type JsonObject } from "./json.ts";
import { BadLine, isCount, isEventName, isRun, looksLikeJson, parse, weigh } from "./line-checks.ts";
import { isPieceLine, pieceDecoder } from "./piece-lines.ts";
import type { ThreadEnd } from "./threads.ts";
import { isCheckpointChange, isHostRequest } from "./validate-host-request.ts";
import { lineSchemas } from "./worker-schemas.ts";
import type { RunEnded, WorkerMessage } from "./worker.ts";

/**
 * The longest line that is sent and accepted, in characters. A worker fails only the run or question whose line would
 * be longer. Checkpoints with several attachments fit; the longest line takes the host about 0.2 s.
 */
export const LONGEST_LINE = 32 * 1024 * 1024;
/** The deepest nesting. Workers cut off events at 400 levels; `JSON.stringify` runs out of stack at some thousands. */
const DEEPEST = 1_000;
/** The most cached heads of lines. A run has one for each kind of event. */
const HEADS = 256;

/** The keys before the data of a line. */
type LineHead = { run: string; token: number } & ({ type: "event"; event: string } | { type: "values" });

type AskLine = Extract<WorkerMessage, { type: "ask" }>;
type TellLine = Extract<WorkerMessage, { type: "tell" }>;

/**
 * A parsed line: an event with its data as text, or a message. `size` is the length of the line with a graph's request,
 * in characters.
 */
export type WorkerLine =
  | (LineHead & { data: string })
  | (AskLine & { size: number })
  | (TellLine & { size: number })
  | Exclude<WorkerMessage, AskLine | TellLine | { type: LineHead["type"] | "piece" }>;

const DATA_KEY = ',"data":';

/** Encodes an event whose `data` is JSON text already. */
export function encodeEventLine(run: string, token: number, event: string, data: string): string {
  return `${headText({ type: "event", run, token, event })}${DATA_KEY}${data}}\n`;
}

/** Encodes the end of a run. `thread.values` is JSON text already and is sent first, in a line of its own. */
export function encodeEndLines(end: Omit<RunEnded, "type" | "thread">, thread?: ThreadEnd): string {
  if (!thread) return `${JSON.stringify({ type: "end", ...end })}\n`;
  const { values, ...rest } = thread;
  const head = headText({ type: "values", run: end.run, token: end.token });
  return `${head}${DATA_KEY}${values}}\n${JSON.stringify({ type: "end", ...end, thread: rest })}\n`;
}

function headText(head: LineHead): string {
  const text = `{"type":"${head.type}","run":${JSON.stringify(head.run)},"token":${head.token}`;
  return head.type === "event" ? `${text},"event":${JSON.stringify(head.event)}` : text;
}

/** Returns a parser for the lines of one worker, without their newlines. The parser throws `BadLine`. */
export function lineDecoder(): (line: string) => WorkerLine {
  const known = new Map<string, LineHead>();
  const pieces = pieceDecoder();

  const readHead = (text: string): LineHead => {
    const head = parseHead(text);
    // The key is a new string, because a slice of the line would keep the whole line in memory.
    const own = headText(head);
    if (own !== text) return head;
    if (known.size >= HEADS) known.clear();
    known.set(own, head);
    return head;
  };

  return (line) => {
    if (isPieceLine(line)) return pieces.read(line);
    if (!line.startsWith('{"type":"event"') && !line.startsWith('{"type":"values"')) {
      const message = parseMessage(line);
      if (message.type === "end") pieces.end(message);
      return message;
    }
    // Quotes inside JSON strings are escaped, so the first occurrence is outside of any string.
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

function parseHead(text: string): LineHead {
  const head = parse(`${text}}`);
  if (!isObject(head)) throw new BadLine("a line that is no object");
  const { type, run, token, event } = head;
  if (!isRun(run) || !isCount(token)) throw new BadLine("event: run: expected a run and its token");
  if (type === "values") return { type, run, token };
  if (type !== "event" || typeof event !== "string" || !isEventName(event))
    throw new BadLine("event: event: expected the name of a stream mode");
  return { type, run, token, event };
}

/** Checks a thread's values completely, because everybody who lists threads parses them. */
function requireState(data: string): void {
  weigh(data);
  requireDepth(parse(data));
}

function parseMessage(line: string): WorkerLine {
  weigh(line);
  const message = parse(line);
  if (!isObject(message)) throw new BadLine("a line that is no object");
  if (message.type === "ask") return { ...parseAsk(message), size: line.length };
  if (message.type === "tell") return { ...parseTell(message), size: line.length };
  requireDepth(message);
  const type = typeof message.type === "string" ? message.type : "";
  if (!isKnown(type)) throw new BadLine("a line of no known type");
  const parsed = lineSchemas[type].safeParse(message);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const location = [type, ...(issue?.path ?? [])].map((step) => String(step).slice(0, 40)).slice(0, 8);
  throw new BadLine(`${location.join(": ")}: ${issue?.message.slice(0, 100) ?? "rejected"}`);
}

function isKnown(type: string): type is keyof typeof lineSchemas {
  return Object.hasOwn(lineSchemas, type);
}

function requireDepth(value: unknown): void {
  if (isDeeperThan(value, DEEPEST)) throw new BadLine(`a line that is nested deeper than ${DEEPEST} levels`);
}

/** Validates a request by hand, because each step of a graph makes several requests. */
function parseAsk({ id, run, token, ask }: JsonObject): AskLine {
  if (!isCount(id) || !isRun(run) || !isCount(token))
    throw new BadLine("ask: run: expected an id, a run and its token");
  if (!isHostRequest(ask)) throw new BadLine("ask: ask: expected a question about checkpoints or the store");
  if (ask.about === "store" || ask.do === "list") requireDepth(ask);
  return { type: "ask", id, run, token, ask };
}

function parseTell({ run, token, tell }: JsonObject): TellLine {
  if (!isRun(run) || !isCount(token)) throw new BadLine("tell: run: expected a run and its token");
  if (!isCheckpointChange(tell)) throw new BadLine("tell: tell: expected a checkpoint or its writes");
  return { type: "tell", run, token, tell };
}
