import canonicalize from "canonicalize";
import { isObject, type JsonObject } from "../../protocol/json.ts";

/** The parts of a served card that clients of each generation read. */
export interface CardReadings {
  /** The served card where it is left out. */
  readonly v1?: JsonObject;
  readonly v03?: JsonObject;
}

/**
 * The texts that the signatures of a served card are over, one for each way in which verifiers make such a text: the whole
 * document by RFC 8785, and what a client of each generation reads of it. Texts that are equal come once.
 */
export function signedTexts(served: JsonObject, { v1 = served, v03 }: CardReadings = {}): string[] {
  const whole = canonicalize({ ...served, signatures: undefined }) ?? "{}";
  return [...new Set([whole, canonicalCard(v1), ...(v03 ? [canonicalCardV03(v03)] : [])])];
}

/**
 * A card by RFC 8785, without what says nothing (empty texts, lists and objects), as A2A 1.0 wants it in 8.4.1
 * (https://a2a-protocol.org/latest/specification/) and the official clients do.
 */
function canonicalCard(card: JsonObject): string {
  return canonicalize(withoutEmpty({ ...card, signatures: undefined }) ?? {}) ?? "{}";
}

/**
 * A card as `a2a-sdk` 0.3 for Python makes its text, the only official client of v0.3 that checks signatures: also without
 * members that have their default, and in ASCII. v0.3 itself names no text.
 */
function canonicalCardV03(card: JsonObject): string {
  const { securitySchemes, protocolVersion, preferredTransport, ...others } = card;
  const text = canonicalCard({
    ...others,
    ...(protocolVersion !== "0.3.0" && { protocolVersion }),
    ...(preferredTransport !== "JSONRPC" && { preferredTransport }),
    ...(isObject(securitySchemes) && { securitySchemes: withoutTypes(securitySchemes) }),
  });
  return text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Each kind of scheme is a model of its own there, whose type is a default. */
function withoutTypes(schemes: JsonObject): JsonObject {
  const entries = Object.entries(schemes).map(([name, scheme]) => [
    name,
    isObject(scheme) ? { ...scheme, type: undefined } : scheme,
  ]);
  return Object.fromEntries(entries) as JsonObject;
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
