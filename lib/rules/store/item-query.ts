import { isObject, type JsonObject, parseJson } from "../../protocol/json.ts";

/** A search as a person typed it: conditions on members of the value, and words in all of the item. */
export interface ItemQuery {
  /** The body of `POST /store/items/search`. */
  readonly filter: JsonObject;
  readonly words: readonly string[];
}

const OPERATORS: Readonly<Record<string, string>> = {
  ":": "$eq",
  "!=": "$ne",
  ">": "$gt",
  ">=": "$gte",
  "<": "$lt",
  "<=": "$lte",
};

const PART = /(?:([\w$-]+)(:|!=|>=|<=|>|<)("(?:[^"\\]|\\.)*"|\S+))|("(?:[^"\\]|\\.)*"|\S+)/g;

/**
 * Reads `city:Oslo age>30 "two words"`. Values are JSON where they are some (`age:36` is a number, `age:"36"` is text), and
 * else text. Total.
 */
export function readItemQuery(text: string): ItemQuery {
  const filter = new Map<string, JsonObject>();
  const words: string[] = [];
  for (const [, name, sign, value, word] of text.matchAll(PART)) {
    if (name !== undefined && sign !== undefined && value !== undefined) {
      const parsed = parseJson(value);
      const operator = OPERATORS[sign] ?? "$eq";
      filter.set(name, { ...filter.get(name), [operator]: parsed === undefined || isObject(parsed) ? value : parsed });
    } else if (word !== undefined) {
      const parsed = parseJson(word);
      words.push((typeof parsed === "string" ? parsed : word).toLowerCase());
    }
  }
  return { filter: Object.fromEntries(filter), words };
}

/** Returns whether an item has all the words: in its key, its namespace or its value. */
export function hasWords(
  item: { readonly namespace: readonly string[]; readonly key: string; readonly value: unknown },
  words: readonly string[],
): boolean {
  if (words.length === 0) return true;
  const text = `${item.namespace.join(".")}\n${item.key}\n${JSON.stringify(item.value)}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
