/** Parses JSON as `JSON.parse` does and records the position of every value, and of a syntax error. */
import { grouped } from "./counted.ts";

/** A position, counted from 1 as in editors. */
export interface TextPosition {
  line: number;
  column: number;
}

export interface JsonText {
  value: unknown;
  /** Returns the position of a member's name or of an item; that of its nearest existing parent when there is none. */
  at(path: readonly PropertyKey[]): TextPosition;
}

export interface JsonProblem {
  problem: string;
  fix: string;
  place: TextPosition;
}

/** The offset of a value, and the values in it. */
interface JsonNode {
  offset: number;
  inside: Map<string, JsonNode>;
}

class JsonSyntaxError extends Error {
  readonly offset: number;
  readonly fix: string;

  constructor(message: string, fix: string, offset: number) {
    super(message);
    this.offset = offset;
    this.fix = fix;
  }
}

const DEEPEST = 200;
/** The position of each value is in memory. */
const MOST_VALUES = 100_000;

/** Parses a text. Total. */
export function readJsonText(text: string): JsonText | JsonProblem {
  const whole: JsonNode = { offset: 0, inside: new Map() };
  try {
    const reader = new JsonTextReader(text);
    reader.value(whole, 0);
    reader.end();
    const value: unknown = JSON.parse(text);
    const positionOf = positionsIn(text);
    return { value, at: (path) => positionOf(nodeOf(whole, path).offset) };
  } catch (error) {
    const { message, offset, fix } =
      error instanceof JsonSyntaxError ? error : new JsonSyntaxError("It is not JSON", "Write it as JSON.", 0);
    return { problem: message, fix, place: positionsIn(text)(offset) };
  }
}

function nodeOf(whole: JsonNode, path: readonly PropertyKey[]): JsonNode {
  let node = whole;
  for (const key of path) {
    const inner = node.inside.get(String(key));
    if (!inner) break;
    node = inner;
  }
  return node;
}

/** Finds the lines only once for all positions. */
function positionsIn(text: string): (offset: number) => TextPosition {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let line = 0;
    // Binary search for the last line that begins at or before the offset.
    for (let step = 2 ** 30; step >= 1; step /= 2) if ((starts[line + step] ?? Infinity) <= offset) line += step;
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

const SPACE = /[ \t\n\r]*/y;
// oxlint-disable-next-line no-control-regex
const STRING = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const WORD = /[\w$.-]+/y;

class JsonTextReader {
  readonly #text: string;
  #offset = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(node: JsonNode, depth: number): void {
    this.#space();
    if (++this.#values > MOST_VALUES)
      this.#refuse(`It holds more than ${grouped(MOST_VALUES)} values`, "Leave out what nobody needs.");
    if (depth > DEEPEST) this.#refuse(`It nests deeper than ${DEEPEST} levels`, "Make it flatter.");
    const first = this.#text[this.#offset];
    if (first === "{") this.#members(node, depth);
    else if (first === "[") this.#items(node, depth);
    else if (first === '"') this.#string();
    else if (this.#take(NUMBER) === "" && this.#take(LITERAL) === "") this.#refuseValue();
  }

  end(): void {
    this.#space();
    if (this.#offset < this.#text.length) this.#refuse(`Found ${this.#found()} after the end`, "Remove it.");
  }

  #members(node: JsonNode, depth: number): void {
    this.#list("}", node, () => {
      if (this.#text[this.#offset] !== '"') {
        const word = this.#peek(WORD);
        const fix = word === "" ? "Write a name in double quotes." : `Write "${word}".`;
        this.#refuse(`Expected a name in double quotes but found ${this.#found()}`, fix);
      }
      const offset = this.#offset;
      const name = String(JSON.parse(this.#string()));
      this.#space();
      if (this.#text[this.#offset] !== ":") {
        this.#refuse(`Expected a colon after "${name}" but found ${this.#found()}`, "Write a colon.");
      }
      this.#offset += 1;
      return { name, offset, depth };
    });
  }

  #items(node: JsonNode, depth: number): void {
    let index = 0;
    this.#list("]", node, () => ({ name: String(index++), offset: this.#offset, depth }));
  }

  /** Parses a comma-separated list up to the closing bracket. */
  #list(close: string, node: JsonNode, head: () => { name: string; offset: number; depth: number }): void {
    this.#offset += 1;
    this.#space();
    for (let first = true; this.#text[this.#offset] !== close; first = false) {
      if (!first) this.#comma(close);
      const { name, offset, depth } = head();
      const inner: JsonNode = { offset, inside: new Map() };
      node.inside.set(name, inner);
      this.value(inner, depth + 1);
      this.#space();
    }
    this.#offset += 1;
  }

  #comma(close: string): void {
    if (this.#text[this.#offset] !== ",") {
      const missing = this.#offset >= this.#text.length ? `Write "${close}".` : "Write a comma before it.";
      this.#refuse(`Expected a comma or "${close}" but found ${this.#found()}`, missing);
    }
    const comma = this.#offset;
    this.#offset += 1;
    this.#space();
    if (this.#text[this.#offset] !== close) return;
    this.#offset = comma;
    this.#refuse(`There is a comma before "${close}"`, "Remove the comma.");
  }

  #string(): string {
    const string = this.#take(STRING);
    if (string !== "") return string;
    return this.#refuse(
      "The text in double quotes is not finished, or holds a character that has to be escaped",
      "Correct it.",
    );
  }

  #refuseValue(): never {
    const word = this.#peek(WORD);
    const quoted = this.#text[this.#offset] === "'" || word !== "";
    const fix = quoted ? "Write text in double quotes." : "Write a value.";
    return this.#refuse(`Expected a value but found ${this.#found()}`, fix);
  }

  #refuse(message: string, fix: string): never {
    if (/^\/[/*]/.test(this.#text.slice(this.#offset, this.#offset + 2))) {
      throw new JsonSyntaxError("JSON has no comments", "Remove the comment.", this.#offset);
    }
    throw new JsonSyntaxError(message, fix, this.#offset);
  }

  #found(): string {
    if (this.#offset >= this.#text.length) return "the end of the file";
    const word = this.#peek(WORD) || String.fromCodePoint(this.#text.codePointAt(this.#offset) ?? 0);
    return JSON.stringify(word.slice(0, 40));
  }

  #space(): void {
    this.#take(SPACE);
  }

  #take(pattern: RegExp): string {
    const found = this.#peek(pattern);
    this.#offset += found.length;
    return found;
  }

  #peek(pattern: RegExp): string {
    pattern.lastIndex = this.#offset;
    return pattern.exec(this.#text)?.[0] ?? "";
  }
}
