/** Estimates how much memory JSON texts take once parsed, without parsing them. */

/** The most objects and lists: a million of them take 60 MB and 0.2 s, and fit into 3 MB of text. */
const MOST_OBJECTS = 1_000_000;
/** The most commas: a number costs a quarter of an object, or less. */
const MOST_MEMBERS = 4_000_000;
/** Shorter texts are not scanned, in characters. */
const LONG = 256 * 1024;

/** Returns whether a text becomes too large in memory once parsed. Commas in strings count as well. */
export function isHeavy(text: string): boolean {
  return new JsonWeight().add(text).isHeavy;
}

/** Sums up texts that are in memory at the same time. */
export class JsonWeight {
  #chars = 0;
  #objects = 0;
  #members = 0;

  get chars(): number {
    return this.#chars;
  }

  get objects(): number {
    return this.#objects;
  }

  get isHeavy(): boolean {
    return this.#objects > MOST_OBJECTS || this.#members > MOST_MEMBERS;
  }

  add(text: string): this {
    this.#chars += text.length;
    if (this.#chars < LONG) return this;
    let objects = 0;
    let members = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x2c) members++;
      else if (code === 0x5b || code === 0x7b) objects++;
    }
    this.#objects += objects;
    this.#members += members;
    return this;
  }
}
