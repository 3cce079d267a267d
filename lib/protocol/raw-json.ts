/** A large JSON value as its text: it goes from the database to a worker without being parsed on the way. */
export class RawJson {
  #text: string;

  /** `text`: JSON. */
  constructor(text: string) {
    this.#text = text;
  }

  /** The text, which is let go of: a run that goes on for hours does not hold on to what it was sent. */
  take(): string {
    const text = this.#text;
    this.#text = "null";
    return text;
  }

  toJSON(): unknown {
    return JSON.parse(this.#text);
  }
}

/** Texts from this length on stay texts, in characters. */
const LARGE = 256 * 1024;

/** `JSON.stringify` of an object whose member `input` may be large; `unpackInput` takes it apart without parsing that one. */
export function packInput(value: { input: unknown }): string {
  const { input, ...others } = value;
  const text = JSON.stringify(input) ?? "null";
  if (text.length < LARGE) return JSON.stringify(value);
  return `{"input_length":${text.length},${JSON.stringify(others).slice(1, -1)},"input":${text}}`;
}

/** What `packInput` was given; a large `input` as `RawJson`. */
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

/** `JSON.stringify` of a message, whose `input` is written as it is where it is `RawJson`, and let go of. */
export function encodeMessage(message: unknown): string {
  if (typeof message !== "object" || message === null || !("input" in message)) return JSON.stringify(message);
  const { input, ...others } = message;
  if (!(input instanceof RawJson)) return JSON.stringify(message);
  return `${JSON.stringify(others).slice(0, -1)},"input":${input.take()}}`;
}
