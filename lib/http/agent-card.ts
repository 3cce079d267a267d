import { findAssistant } from "../engine/assistants.ts";
import type { Deployment } from "../engine/ports.ts";
import { readIntake } from "../engine/intakes.ts";
import { asksForV1 } from "../protocol/a2a.ts";
import { Fault } from "../protocol/faults.ts";
import type { operations } from "../protocol/operations.ts";
import type { Intake } from "../rules/a2a.ts";
import { a2aUrl, cardForAll, cardV1 } from "../rules/agent-card.ts";
import type { Call, Handler } from "./endpoint.ts";
import { writtenPath } from "./written-url.ts";
import { publicUrl } from "../rules/public-url.ts";

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
 * `GET /a2a/.well-known/agent-card.json`: where clients look that resolve the card's path against an agent's address
 * without a final slash.
 */
export const hintAgentCard: Handler<typeof operations.hintAgentCard> = (call) => {
  requireA2a(call.deployment);
  const detail = "No card here. Give your client the agent's address with a final slash: /a2a/{assistant_id}/";
  return Promise.resolve(Response.json({ detail }, { status: 404 }));
};

const encoder = new TextEncoder();

async function answerCard({ platform, deployment, settings, request }: CardCall, id: string): Promise<Response> {
  const assistant = await findAssistant(platform, deployment, id);
  const card = asksForV1(a2aVersion(request)) ? cardV1 : cardForAll;
  const body = JSON.stringify(
    card({
      assistant,
      graphDescription: deployment.config?.graphs[assistant.graph_id]?.description,
      url: a2aUrl({
        base: publicUrl(request.headers, settings),
        path: writtenPath(request),
        deployment: deployment.name,
        assistant: id,
      }),
      intake: await intakeSoon(deployment, assistant.graph_id),
      secured: settings.apiKey !== undefined,
    }),
  );
  const etag = `W/"${hex(platform.sha1(encoder.encode(body)))}"`;
  const headers = {
    etag,
    "cache-control": "public, max-age=60",
    vary: "A2A-Version, Host, X-Forwarded-Proto, X-Forwarded-Host",
  };
  if (isKnown(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "content-type": "application/json" } });
}

const PATIENCE_MS = 500;

/** A card does not wait for a worker that starts: it is about the address first. */
async function intakeSoon(deployment: Deployment, graph: string): Promise<Intake> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Intake>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, { takes: "unknown" });
  });
  const intake = await Promise.race([readIntake(deployment, graph), late]);
  clearTimeout(timer);
  return intake;
}

function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  const tags = ifNoneMatch?.split(",").map((tag) => tag.trim()) ?? [];
  return tags.includes("*") || tags.some((tag) => tag === etag || `W/${tag}` === etag);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
