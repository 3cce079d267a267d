import type { ServedCard } from "../rules/agent-card/checks.ts";
import { callerHeaders, NO_REDIRECTS } from "./caller.ts";
import { accepted } from "./refusal.ts";

/** The path of the card, below an agent's address. */
export const CARD_PATH = "/.well-known/agent-card.json";

/** Reads the card at this address in both forms, and the answer to a second request with its tag. Throws `RequestFailure`. */
export async function readCard(url: string, origin: string): Promise<ServedCard> {
  const [all, v1] = await Promise.all([fetchCard(url), fetchCard(url, { "a2a-version": "1.0" })]);
  const etag = all.headers.get("etag") ?? undefined;
  const again = etag === undefined ? undefined : await fetchCard(url, { "if-none-match": etag });
  return { forAll: await all.json(), v1: await v1.json(), origin, etag, statusAgain: again?.status };
}

async function fetchCard(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const init: RequestInit = { ...NO_REDIRECTS, headers: { ...callerHeaders(url), ...headers }, cache: "no-store" };
  return await accepted(fetch(url, init));
}
