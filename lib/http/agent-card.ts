import { findAssistant } from "../engine/assistants.ts";
import type { Deployment } from "../engine/ports/ports.ts";
import { readGraphInterface } from "../engine/a2a/graph-interface.ts";
import { asksForV1, type Dialect } from "../protocol/a2a.ts";
import type { Assistant } from "../protocol/assistants.ts";
import { Fault } from "../protocol/faults.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { operations } from "../protocol/operations.ts";
import type { GraphInterface } from "../rules/a2a/message-to-run.ts";
import {
  a2aUrl,
  cardForAll,
  cardV03,
  cardV1,
  deploymentUrl,
  offersExtended,
  type CallerPath,
  type CardFacts,
} from "../rules/agent-card/card.ts";
import { signedTexts, type CardReadings } from "../rules/agent-card/canonical.ts";
import { isKnownHost } from "../rules/http/hosts.ts";
import { publicUrl } from "../rules/http/public-url.ts";
import { cardSecond, httpSecond } from "./card-dates.ts";
import type { Call, Handler } from "./endpoint.ts";
import { writtenPath } from "./written-url.ts";

type CardCall = Pick<Call<typeof operations.getAssistantCard>, "platform" | "deployment" | "settings" | "request">;

/** Faults: `not_found` when the application has switched A2A off. */
export function requireA2a(deployment: Deployment): void {
  if (deployment.config?.http.disable_a2a === true) throw new Fault("not_found", "Not found");
}

/** The header, or the query parameter of the same name; empty when there is neither. */
export function a2aVersion(request: Request): string {
  const header = request.headers.get("a2a-version");
  if (header) return header;
  return new URL(request.url, "http://localhost").searchParams.get("A2A-Version") ?? "";
}

export const getAgentCard: Handler<typeof operations.getAgentCard> = async (call) => {
  requireA2a(call.deployment);
  const [only, ...others] = Object.keys(call.deployment.config?.graphs ?? {});
  const assistant = call.query.assistant_id ?? (others.length === 0 ? only : undefined);
  if (assistant !== undefined) return await answerCard(call, assistant);
  const detail = "assistant_id query parameter is required; see /a2a/{assistant_id}/.well-known/agent-card.json";
  return Response.json({ detail }, { status: 400 });
};

export const getAssistantCard: Handler<typeof operations.getAssistantCard> = async (call) => {
  requireA2a(call.deployment);
  return await answerCard(call, call.params.assistant_id ?? "");
};

/**
 * `GET /a2a/.well-known/agent-card.json`. Clients look here if they resolve the card's path against an agent's address
 * without a final slash.
 */
export const hintAgentCard: Handler<typeof operations.hintAgentCard> = (call) => {
  requireA2a(call.deployment);
  const detail = "No card here. Give your client the agent's address with a final slash: /a2a/{assistant_id}/";
  return Promise.resolve(Response.json({ detail }, { status: 404 }));
};

/** `GET /.well-known/jwks.json`: the keys that check a card's signature, at the address that the signature names. */
export const getCardKeys: Handler<typeof operations.getCardKeys> = ({ deployment, settings }) => {
  requireA2a(deployment);
  if (!settings.cardSigner) throw new Fault("not_found", "Agent cards of this server are not signed");
  const headers = { "cache-control": "public, max-age=300", "content-type": "application/jwk-set+json" };
  return Promise.resolve(new Response(JSON.stringify(settings.cardSigner.keys), { headers }));
};

/**
 * Returns the card for authenticated callers; where it is offered, every caller of the A2A endpoint is one. Undefined if
 * the server authenticates nobody, or if the configuration adds nothing to the public card.
 */
export async function extendedCard(
  call: CardCall & { readonly params: Readonly<Record<string, string>> },
  assistant: Assistant,
  dialect: Dialect,
): Promise<JsonObject | undefined> {
  const facts = await factsOf(call, assistant, call.params.assistant_id ?? assistant.assistant_id);
  if (!offersExtended(facts)) return undefined;
  const card = dialect === "1.0" ? cardV1(facts, "extended") : cardV03(facts, "extended");
  return { ...card, ...(await signaturesOf(call, card, dialect === "0.3" ? { v03: card } : {})) };
}

const encoder = new TextEncoder();

/** Answers every caller alike, so that anybody may cache the card. Authenticated callers can get the extended one. */
async function answerCard(call: CardCall, id: string): Promise<Response> {
  const { platform, deployment, settings, request } = call;
  const facts = await factsOf(call, await findAssistant(platform, deployment, id), id);
  const isV1 = asksForV1(a2aVersion(request));
  const card = isV1 ? cardV1(facts) : cardForAll(facts);
  // The tag covers the key, but not the signature, because some keys sign differently each time.
  const content = `${JSON.stringify(card)} ${settings.cardSigner?.kid ?? ""}`;
  const etag = `W/"${Buffer.from(platform.sha1(encoder.encode(content))).toString("hex")}"`;
  const now = platform.clock.now();
  const second = cardSecond(`${isV1 ? "1.0" : "all"} ${facts.url}`, etag, now);
  const headers = {
    etag,
    // HTTP forbids a date later than now.
    "last-modified": new Date(Math.min(second * 1000, now)).toUTCString(),
    "cache-control": "public, max-age=60",
    vary: "A2A-Version, Host, X-Forwarded-Proto, X-Forwarded-Host",
  };
  if (isKnown(request.headers, etag, second)) return new Response(null, { status: 304, headers });
  // A client checks the signature of the members that it knows, so the members of each version are signed.
  const readings = isV1 ? {} : { v1: cardV1(facts), v03: cardV03(facts) };
  const signatures = await signaturesOf(call, card, readings);
  const body = JSON.stringify({ ...card, ...signatures });
  return new Response(body, { headers: { ...headers, "content-type": "application/json" } });
}

async function factsOf(call: CardCall, assistant: Assistant, named: string): Promise<CardFacts> {
  const { deployment, settings } = call;
  return {
    assistant,
    config: deployment.config,
    url: a2aUrl({ ...callerPath(call), assistant: named }),
    graphInterface: await graphInterfaceSoon(deployment, assistant.graph_id),
    keyed: settings.apiKey !== undefined,
    pushes: deployment.pushEnabled,
  };
}

function callerPath({ deployment, settings, request }: CardCall): CallerPath {
  return {
    base: publicUrl(request.headers, settings),
    path: writtenPath(request),
    deployment: deployment.name,
    prefix: deployment.config?.http.mount_prefix,
  };
}

async function signaturesOf(
  call: CardCall,
  card: JsonObject,
  readings: CardReadings,
): Promise<{ signatures?: JsonObject[] }> {
  const { cardSigner, publicUrl: known } = call.settings;
  // The caller chooses the Host header, so a signature would vouch for an address that may be somebody else's.
  if (!cardSigner || !isKnownHost(hostIn(callerPath(call).base), known)) return {};
  const jku = `${deploymentUrl(callerPath(call))}/.well-known/jwks.json`;
  const signed = signedTexts(card, readings).map(async (text) => ({ ...(await cardSigner.sign(text, jku)) }));
  return { signatures: await Promise.all(signed) };
}

function hostIn(base: string): string | undefined {
  return URL.canParse(base) ? new URL(base).host : undefined;
}

const PATIENCE_MS = 500;

/** Waits `PATIENCE_MS` at most: a card is needed for its address first, and the worker may still be starting. */
async function graphInterfaceSoon(deployment: Deployment, graph: string): Promise<GraphInterface> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<GraphInterface>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, { takes: "unknown" });
  });
  const graphInterface = await Promise.race([readGraphInterface(deployment, graph), late]);
  clearTimeout(timer);
  return graphInterface;
}

/** Returns whether the caller has this very card. A date counts only where no tag was sent. */
function isKnown(headers: Headers, etag: string, second: number): boolean {
  const ifNoneMatch = headers.get("if-none-match");
  const since = httpSecond(headers.get("if-modified-since"));
  if (ifNoneMatch === null) return since !== undefined && since >= second;
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim());
  return tags.includes("*") || tags.some((tag) => tag === etag || `W/${tag}` === etag);
}
