import { isObject } from "../../protocol/json.ts";
import { grouped } from "../text/counted.ts";

/** Texts longer than this are cut. */
const LONGEST_TEXT = 1000;
/** A longer list or object is shown in parts of this size, each of which unfolds alone. */
const MOST_PARTS = 200;
/** Deeper values are shown as text. */
const DEEPEST = 60;

/** A value to read, and the number of texts in it that are cut. */
interface Reading {
  readonly shown: unknown;
  readonly cut: number;
}

/** Returns a copy of a JSON value to read: with long texts cut, unless `whole`, and with long lists in parts. */
export function cutForReading(value: unknown, whole: boolean): Reading {
  let cut = 0;
  const read = (one: unknown, depth: number): unknown => {
    if (typeof one === "string") {
      if (whole || one.length <= LONGEST_TEXT) return one;
      cut++;
      return `${one.slice(0, LONGEST_TEXT)}… (${grouped(one.length - LONGEST_TEXT)} more characters)`;
    }
    if (typeof one !== "object" || one === null) return one;
    if (depth > DEEPEST) return "… (nested deeper)";
    if (Array.isArray(one)) {
      const items = one.map((item) => read(item, depth + 1));
      return items.length > MOST_PARTS ? inParts(items.map((item, at) => [String(at), item])) : items;
    }
    if (!isObject(one)) return one;
    const members = Object.entries(one).map(([name, inner]): [string, unknown] => [name, read(inner, depth + 1)]);
    return members.length > MOST_PARTS ? inParts(members) : Object.fromEntries(members);
  };
  return { shown: read(value, 0), cut };
}

function inParts(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const parts: [string, unknown][] = [];
  // Parts of parts, where there would be too many.
  const size = entries.length > MOST_PARTS ** 2 ? MOST_PARTS ** 2 : MOST_PARTS;
  for (let at = 0; at < entries.length; at += size) {
    const some = entries.slice(at, at + size);
    parts.push([`[${at} … ${at + some.length - 1}]`, size > MOST_PARTS ? inParts(some) : Object.fromEntries(some)]);
  }
  return Object.fromEntries(parts);
}
