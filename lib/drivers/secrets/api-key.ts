import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { ApiKey } from "../../engine/key-ports.ts";

/** The one key of a server, from its environment. */
export function apiKeyOf(secret: string): ApiKey {
  const session = createHmac("sha256", secret).update("graphlib console session v1").digest("base64url");
  return {
    matches: (given) => isSame(given, secret),
    session,
    isSession: (given) => isSame(given, session),
  };
}

/** Compared as digests, so that neither length nor content shows in the time it takes. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
