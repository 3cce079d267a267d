/** A text after its escapes were decoded. */
export interface Decoded {
  text: string;
  /** Returns the offset in the original text at which a character of this text begins. */
  at: (index: number) => number;
}

/** The depth of nested encodings: JSON in a URL, a URL in JSON, JSON in JSON. */
const DEEPEST = 2;

/** Returns all readings of a text that may be escaped for URLs, for JSON, or for both. None without escapes. Total. */
export function decodings(text: string, depth = DEEPEST): Decoded[] {
  if (depth === 0) return [];
  return [unescape(text, "%", percentAt), unescape(text, "\\", jsonAt)].flatMap((outer) => {
    if (!outer) return [];
    const inner = decodings(outer.text, depth - 1);
    return [outer, ...inner.map((one) => ({ text: one.text, at: (index: number) => outer.at(one.at(index)) }))];
  });
}

interface Escape {
  letters: string;
  /** The length of the escape. */
  length: number;
}

/** A decoded escape: where it ended in the original text, and where its letters end in the decoded one. */
interface Taken extends Escape {
  source: number;
  target: number;
}

/** Decodes one kind of escape; undefined when the text has none. */
function unescape(
  text: string,
  mark: string,
  escapeAt: (text: string, index: number) => Escape | undefined,
): Decoded | undefined {
  const taken: Taken[] = [];
  let decoded = "";
  let end = 0;
  for (let index = text.indexOf(mark); index >= 0;) {
    const escape = escapeAt(text, index);
    if (escape) {
      decoded += text.slice(end, index) + escape.letters;
      end = index + escape.length;
      taken.push({ ...escape, source: end, target: decoded.length });
    }
    index = text.indexOf(mark, escape ? end : index + 1);
  }
  if (taken.length === 0) return undefined;
  return { text: decoded + text.slice(end), at: (index) => sourceOf(index, taken) };
}

/** Returns the original offset by binary search, because it may be needed for many offsets. */
function sourceOf(index: number, taken: readonly Taken[]): number {
  let [low, high] = [0, taken.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { target = 0, letters = "" } = taken[middle] ?? {};
    if (target - letters.length <= index) low = middle + 1;
    else high = middle;
  }
  const last = taken[low - 1];
  if (!last) return index;
  return index < last.target ? last.source - last.length : last.source + index - last.target;
}

/** Decodes one percent-encoded character of UTF-8; a byte that begins none stands for itself. */
function percentAt(text: string, index: number): Escape | undefined {
  const first = byteAt(text, index);
  if (first === undefined) return undefined;
  const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  let code = more === 0 ? first : first & (0x3f >> more);
  for (let n = 1; n <= more; n++) {
    const byte = byteAt(text, index + 3 * n);
    if (byte === undefined || (byte & 0xc0) !== 0x80) return { letters: String.fromCharCode(first), length: 3 };
    code = (code << 6) | (byte & 0x3f);
  }
  const isLetter = code <= 0x10_ffff;
  return isLetter
    ? { letters: String.fromCodePoint(code), length: 3 * (more + 1) }
    : { letters: String.fromCharCode(first), length: 3 };
}

function byteAt(text: string, index: number): number | undefined {
  const digits = text.slice(index + 1, index + 3);
  return text[index] === "%" && /^[\da-f]{2}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

const JSON_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function jsonAt(text: string, index: number): Escape | undefined {
  const kind = text.charAt(index + 1);
  if (kind === "u") {
    const digits = text.slice(index + 2, index + 6);
    if (!/^[\da-f]{4}$/i.test(digits)) return undefined;
    return { letters: String.fromCharCode(Number.parseInt(digits, 16)), length: 6 };
  }
  const letters = Object.hasOwn(JSON_ESCAPES, kind) ? JSON_ESCAPES[kind] : undefined;
  return letters === undefined ? undefined : { letters, length: 2 };
}
