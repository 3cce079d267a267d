/** Reads a large JSON text as `JSON.parse` does, a piece at a time, so that other work goes on in between. */

/** Longest text that is parsed at once, in characters: 4 ms of `{},{},…`, the costliest for its length. */
const PIECE = 64 * 1024;

/** Thrown for a text that nests deeper than it may. */
export class TooDeep extends Error {
  override readonly name = "TooDeep";
}

/** A list or object that is longer than a piece. */
interface Large {
  readonly isList: boolean;
  /** Offsets of its brackets. */
  readonly start: number;
  end: number;
  /** Where it is divided: at commas of its own, and around each member that is large itself. */
  readonly cuts: number[];
  readonly inside: Large[];
}

interface Open extends Large {
  /** Offset of the last comma of its own, or of its bracket. */
  comma: number;
  /** The next comma divides, as a large member ended before it. */
  cutNext: boolean;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125];

/**
 * Its return value is what `JSON.parse(text)` gives. Yields after every piece of work; throws `SyntaxError` for what is
 * not JSON, and `TooDeep` for more than `deepest` lists and objects within each other, before anything is built.
 */
export function* parsePieces(text: string, deepest: number, size = PIECE): Generator<void, unknown, undefined> {
  const whole = yield* findLarge(text, deepest, size);
  if (!whole) return JSON.parse(text) as unknown;
  requireSpace(text.slice(0, whole.start) + text.slice(whole.end + 1));
  return yield* build(text, whole);
}

/** The outermost list or object, where it is larger than a piece, with all in it that are. */
function* findLarge(text: string, deepest: number, size: number): Generator<void, Large | undefined, undefined> {
  const open: Open[] = [];
  let whole: Large | undefined;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    if (at % PIECE === PIECE - 1) yield;
    const sign = text.charCodeAt(at);
    if (inText) {
      if (sign === BACKSLASH) at++;
      else if (sign === QUOTE) inText = false;
    } else if (sign === QUOTE) inText = true;
    else if (sign === LIST || sign === OBJECT) {
      if (open.length >= deepest) throw new TooDeep();
      open.push({ isList: sign === LIST, start: at, end: at, cuts: [], inside: [], comma: at, cutNext: false });
    } else if (sign === COMMA) passComma(open.at(-1), at, size);
    else if (sign === LIST_END || sign === OBJECT_END) whole = close(open, at, sign === LIST_END, size) ?? whole;
  }
  if (open.length > 0 || inText) throw new SyntaxError("it ends too early");
  return whole;
}

function passComma(around: Open | undefined, at: number, size: number): void {
  if (!around) throw new SyntaxError("a comma outside of lists and objects");
  if (around.cutNext || at - (around.cuts.at(-1) ?? around.start) >= size) around.cuts.push(at);
  around.comma = at;
  around.cutNext = false;
}

/** What was closed, where that is large and the outermost. */
function close(open: Open[], at: number, isList: boolean, size: number): Large | undefined {
  const closed = open.pop();
  if (closed?.isList !== isList) throw new SyntaxError("brackets that do not belong together");
  closed.end = at;
  const around = open.at(-1);
  if (at - closed.start < size) return undefined;
  if (!around) return closed;
  if (around.comma > (around.cuts.at(-1) ?? around.start)) around.cuts.push(around.comma);
  around.inside.push(closed);
  around.cutNext = true;
  return undefined;
}

function* build(text: string, large: Large): Generator<void, unknown, undefined> {
  const list: unknown[] = [];
  const object: Record<string, unknown> = {};
  const bounds = [large.start, ...large.cuts, large.end];
  let next = 0;
  for (let index = 1; index < bounds.length; index++) {
    const [from, to] = [(bounds[index - 1] ?? 0) + 1, bounds[index] ?? 0];
    const inner = large.inside[next];
    if (inner && inner.start < to) {
      next += 1;
      requireSpace(text.slice(inner.end + 1, to));
      const head = text.slice(from, inner.start);
      if (large.isList) requireSpace(head);
      const value = yield* build(text, inner);
      if (large.isList) list.push(value);
      else put(object, nameIn(head), value);
    } else {
      const piece = text.slice(from, to);
      // Between two commas there has to be something.
      if (bounds.length > 2 && isSpace(piece)) throw new SyntaxError("nothing between two commas");
      if (large.isList) for (const item of JSON.parse(`[${piece}]`) as unknown[]) list.push(item);
      else merge(object, JSON.parse(`{${piece}}`) as Record<string, unknown>);
      yield;
    }
  }
  return large.isList ? list : object;
}

/** Of `"name" :`. */
function nameIn(head: string): string {
  const [name] = Object.keys(JSON.parse(`{${head}0}`) as object);
  if (name === undefined || !/:[ \t\n\r]*$/.test(head)) throw new SyntaxError("a member without a name");
  return name;
}

function merge(object: Record<string, unknown>, more: Record<string, unknown>): void {
  for (const name of Object.keys(more)) put(object, name, more[name]);
}

/** As `JSON.parse` does it: `__proto__` is a member like any other. */
function put(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function isSpace(text: string): boolean {
  return /^[ \t\n\r]*$/.test(text);
}

function requireSpace(text: string): void {
  if (!isSpace(text)) throw new SyntaxError("something that is not JSON around a list or an object");
}
