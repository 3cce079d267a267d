import canonicalize from "canonicalize";
import { isObject, type JsonObject } from "../protocol/json.ts";

/**
 * The texts that the signatures of a served card are over, one for each way in which verifiers make such a text: the whole
 * document by RFC 8785, and what a v1.0 client reads of it. One text where both are equal.
 */
export function signedTexts(served: JsonObject, readByV1: JsonObject = served): string[] {
  const whole = canonicalize({ ...served, signatures: undefined }) ?? "{}";
  return [...new Set([whole, canonicalCard(readByV1)])];
}

/**
 * A card by RFC 8785, without what says nothing (empty texts, lists and objects), as A2A 1.0 says in 8.4.1 and the official
 * clients do.
 */
function canonicalCard(card: JsonObject): string {
  return canonicalize(withoutEmpty({ ...card, signatures: undefined }) ?? {}) ?? "{}";
}

function withoutEmpty(value: unknown): unknown {
  if (value === "" || value === null) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  const told = members.filter(([, member]) => member !== undefined);
  return told.length > 0 ? Object.fromEntries(told) : undefined;
}
