import { readJsonText } from "../text/json-text.ts";

/** Reads the text of a JSON field. Empty text is an absent value; other text that is no JSON has a problem with its place. */
export function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    const read = readJsonText(text);
    if (!("problem" in read)) return { problem: "This is not JSON." };
    const { problem, place } = read;
    return { problem: `Line ${place.line}, column ${place.column}: ${problem.replace(/\.$/, "")}. ${read.fix}` };
  }
}

/** Returns whether a value as JSON has more than about `limit` characters. Reads no more of it than that. */
export function isLargerThan(value: unknown, limit: number): boolean {
  let left = limit;
  const open: unknown[] = [value];
  while (open.length > 0 && left >= 0) {
    const one = open.pop();
    left -= 4;
    if (typeof one === "string") left -= one.length;
    else if (Array.isArray(one)) {
      if (one.length > left) return true;
      for (const item of one) open.push(item);
    } else if (typeof one === "object" && one !== null) {
      for (const [name, inner] of Object.entries(one)) {
        left -= name.length;
        open.push(inner);
      }
    }
  }
  return left < 0;
}
