import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { ApiKey } from "../../engine/ports/keys.ts";

/** The one key of a server, from its environment. */
export function apiKeyOf(secret: string): ApiKey {
  return { matches: (given) => isSame(given, secret) };
}

/** Names a key where its sessions are stored. Keyed by the server's secret: a stolen database is no help in guessing it. */
export function keyPrintOf(key: string, secret: string): string {
  return createHmac("sha256", secret).update(`graphlib key print v1 ${key}`).digest("base64url");
}

/** Compared as digests, so that neither length nor content shows in the time it takes. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
