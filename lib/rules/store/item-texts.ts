/** Selects the texts of a stored value that a semantic search compares. */
import { isObject, type JsonObject } from "../../protocol/json.ts";

/**
 * Returns the texts at these paths, keyed by path. `$` is the whole value as JSON. Any other path is names joined by
 * periods, with `[0]`, `[-1]` and `[*]` for items of lists, `*` for any member and `{a,b}` for several.
 */
export function textsOf(value: JsonObject, paths: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const found = path === "$" ? [JSON.stringify(value)] : textsAt(value, tokensOf(path));
    for (const [index, text] of found.entries()) texts.set(found.length === 1 ? path : `${path}.${index}`, text);
  }
  return texts;
}

/** Splits a path: `chapters[*].text` becomes `chapters`, `[*]`, `text`. */
function tokensOf(path: string): string[] {
  return path.match(/\{[^}]*\}|\[[^\]]*\]|[^.[{]+/g) ?? [];
}

function textsAt(value: unknown, tokens: readonly string[]): string[] {
  const [token, ...rest] = tokens;
  if (token === undefined) return asText(value);
  return membersAt(value, token).flatMap((member) => textsAt(member, rest));
}

function membersAt(value: unknown, token: string): unknown[] {
  if (token.startsWith("{")) {
    const paths = token.slice(1, -1).split(",");
    return paths.flatMap((path) => textsAt(value, tokensOf(path.trim())));
  }
  if (token.startsWith("[")) {
    if (!Array.isArray(value)) return [];
    if (token === "[*]") return value;
    const index = Number(token.slice(1, -1));
    return Number.isInteger(index) && value.at(index) !== undefined ? [value.at(index)] : [];
  }
  if (token === "*") return typeof value === "object" && value !== null ? Object.values(value) : [];
  return isObject(value) && Object.hasOwn(value, token) ? [value[token]] : [];
}

function asText(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (value === null || value === undefined) return [];
  return [JSON.stringify(value)];
}
