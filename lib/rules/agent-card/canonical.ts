import canonicalize from "canonicalize";
import { isObject, type JsonObject } from "../../protocol/json.ts";

/** The members of a served card that clients of each generation read. */
export interface CardReadings {
  /** The card of v1.0; the served card when absent. */
  readonly v1?: JsonObject;
  readonly v03?: JsonObject;
}

/**
 * Returns the texts that the signatures of a served card sign, one for each way in which verifiers build such a text:
 * the whole document by RFC 8785, and the members that a client of each generation reads. Equal texts are listed once.
 */
export function signedTexts(served: JsonObject, { v1 = served, v03 }: CardReadings = {}): string[] {
  const whole = canonicalize({ ...served, signatures: undefined }) ?? "{}";
  return [...new Set([whole, canonicalCard(v1), ...(v03 ? [canonicalCardV03(v03)] : [])])];
}

/**
 * Serializes a card by RFC 8785 without empty texts, lists and objects, as A2A 1.0 demands in 8.4.1
 * (https://a2a-protocol.org/latest/specification/) and the official clients do.
 */
function canonicalCard(card: JsonObject): string {
  return canonicalize(withoutEmpty({ ...card, signatures: undefined }) ?? {}) ?? "{}";
}

/**
 * Serializes a card as `a2a-sdk` 0.3 for Python does, the only official client of v0.3 that checks signatures: also
 * without members that have their default value, and in ASCII. v0.3 itself defines no form.
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

/** Removes the types of schemes: in that client each kind of scheme is a model whose type is a default value. */
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
  const filled = members.filter(([, member]) => member !== undefined);
  return filled.length > 0 ? Object.fromEntries(filled) : undefined;
}
