/** Parses a large JSON text like `JSON.parse`, but in pieces, so that other work can run in between. */

/** The most characters to parse at once: 4 ms for `{},{},…`, the costliest text of its length. */
const PIECE = 64 * 1024;

/** The error for a text that is nested too deeply. */
export class TooDeep extends Error {
  override readonly name = "TooDeep";
}

/** A list or object that is longer than a piece. */
interface Container {
  readonly isList: boolean;
  /** Offset of the opening bracket. */
  readonly start: number;
  /** Offset of the closing bracket. */
  end: number;
  /** Offsets at which it is cut: some of its own commas, among them those around each large member. */
  readonly cuts: number[];
  /** Its large members. */
  readonly inside: Container[];
}

/** A container whose closing bracket has not been found yet. */
interface OpenContainer extends Container {
  /** Offset of its own last comma, or of its bracket. */
  comma: number;
  /** True to cut at the next comma, because a large member ended before it. */
  cutNext: boolean;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125];

/**
 * Yields after every piece of work and finally returns the result of `JSON.parse(text)`. Throws `SyntaxError` for
 * invalid JSON, and `TooDeep`, before anything is built, for more than `deepest` nested lists and objects.
 */
export function* parsePieces(text: string, deepest: number, size = PIECE): Generator<void, unknown, undefined> {
  const whole = yield* findLarge(text, deepest, size);
  if (!whole) return JSON.parse(text) as unknown;
  requireSpace(text.slice(0, whole.start) + text.slice(whole.end + 1));
  return yield* build(text, whole);
}

/** Returns the outermost list or object, with all large containers inside it, if it is longer than a piece. */
function* findLarge(text: string, deepest: number, size: number): Generator<void, Container | undefined, undefined> {
  const open: OpenContainer[] = [];
  let whole: Container | undefined;
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

function passComma(around: OpenContainer | undefined, at: number, size: number): void {
  if (!around) throw new SyntaxError("a comma outside of lists and objects");
  if (around.cutNext || at - (around.cuts.at(-1) ?? around.start) >= size) around.cuts.push(at);
  around.comma = at;
  around.cutNext = false;
}

/** Closes the innermost container. Returns it if it is large and the outermost one. */
function close(open: OpenContainer[], at: number, isList: boolean, size: number): Container | undefined {
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

function* build(text: string, large: Container): Generator<void, unknown, undefined> {
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
      // An empty piece between two commas is invalid JSON.
      if (bounds.length > 2 && isSpace(piece)) throw new SyntaxError("nothing between two commas");
      if (large.isList) for (const item of JSON.parse(`[${piece}]`) as unknown[]) list.push(item);
      else merge(object, JSON.parse(`{${piece}}`) as Record<string, unknown>);
      yield;
    }
  }
  return large.isList ? list : object;
}

/** Returns the name in a text such as `"name" :`. */
function nameIn(head: string): string {
  const [name] = Object.keys(JSON.parse(`{${head}0}`) as object);
  if (name === undefined || !/:[ \t\n\r]*$/.test(head)) throw new SyntaxError("a member without a name");
  return name;
}

function merge(object: Record<string, unknown>, more: Record<string, unknown>): void {
  for (const name of Object.keys(more)) put(object, name, more[name]);
}

/** Sets a member like `JSON.parse`, for which `__proto__` is a member like any other. */
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
