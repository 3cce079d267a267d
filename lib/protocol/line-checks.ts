/** Checks of the lines of a worker. */
import { isHeavy } from "./json-weight.ts";
import { parseJson } from "./json.ts";
import { modeOf } from "./stream.ts";

const LONGEST_ID = 200;
/** The longest name of an event, which includes the namespace of a nested graph. */
const LONGEST_NAME = 16 * 1024;

/** The error for an invalid line. It says what is wrong and where, but never quotes the line: it may be user data. */
export class BadLine extends Error {
  override readonly name = "BadLine";
}

/** Returns whether a name is a stream mode with its namespace. Only the host emits `end`, `error` and `metadata`. */
export function isEventName(event: string): boolean {
  return event.length <= LONGEST_NAME && !/\p{Cc}/u.test(event) && modeOf(event) !== undefined;
}

export function isRun(value: unknown): value is string {
  return typeof value === "string" && value.length <= LONGEST_ID;
}

export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/**
 * Detects truncated or merged data at almost no cost. Other invalid JSON passes and reaches the readers of the run
 * unchanged. That is safe: the host expects any text where it parses events, and no text can leave its line.
 */
export function looksLikeJson(data: string): boolean {
  const first = data[0];
  const last = data.at(-1);
  if (first === "{") return last === "}";
  if (first === "[") return last === "]";
  if (first === '"') return data.length > 1 && last === '"';
  return data.length <= 64 && isJson(data);
}

/** Refuses text that takes too much memory once parsed. This includes events, which the readers of a run parse. */
export function weigh(text: string): void {
  if (isHeavy(text)) throw new BadLine("a line of too many values");
}

export function parse(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined) throw new BadLine("a line that is not JSON");
  return value;
}

function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}
