/** A large JSON value as text, which goes from the database to a worker without being parsed. */
export class RawJson {
  #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the text and releases it, so that a run of several hours does not keep its input in memory. */
  take(): string {
    const text = this.#text;
    this.#text = "null";
    return text;
  }

  toJSON(): unknown {
    return JSON.parse(this.#text);
  }
}

/** The length in characters from which an input stays text. */
const LARGE = 256 * 1024;

/** Encodes an object whose member `input` may be large, so that `unpackInput` need not parse that member. */
export function packInput(value: { input: unknown }): string {
  const { input, ...others } = value;
  const text = JSON.stringify(input) ?? "null";
  if (text.length < LARGE) return JSON.stringify(value);
  return `{"input_length":${text.length},${JSON.stringify(others).slice(1, -1)},"input":${text}}`;
}

/** Inverts `packInput`. A large `input` becomes `RawJson`. */
export function unpackInput(packed: string): unknown {
  const length = Number(/^\{"input_length":(\d+),/.exec(packed.slice(0, 40))?.[1] ?? 0);
  if (length === 0) return JSON.parse(packed);
  const { input_length: _, ...others } = JSON.parse(
    `${packed.slice(0, -(length + ',"input":}'.length))}}`,
  ) as object & {
    input_length: number;
  };
  return { ...others, input: new RawJson(packed.slice(-(length + 1), -1)) };
}

/** Encodes a message. An `input` of type `RawJson` is inserted as text and released. */
export function encodeMessage(message: unknown): string {
  if (typeof message !== "object" || message === null || !("input" in message)) return JSON.stringify(message);
  const { input, ...others } = message;
  if (!(input instanceof RawJson)) return JSON.stringify(message);
  return `${JSON.stringify(others).slice(0, -1)},"input":${input.take()}}`;
}
