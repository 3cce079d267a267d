import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { ApiKey } from "../../engine/ports/keys.ts";

/** Returns the server's only API key, which comes from its environment. */
export function apiKeyOf(secret: string): ApiKey {
  return { matches: (given) => isSame(given, secret) };
}

/** Identifies a key in stored sessions. The server's secret keys the HMAC, so a stolen database does not reveal it. */
export function keyPrintOf(key: string, secret: string): string {
  return createHmac("sha256", secret).update(`graphlib key print v1 ${key}`).digest("base64url");
}

/** Identifies a secret, so that servers can compare theirs without telling them. */
export function secretPrintOf(secret: string): string {
  return createHmac("sha256", secret).update("graphlib secret print v1").digest("base64url");
}

/** Compares digests, so that the duration reveals neither length nor content. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
