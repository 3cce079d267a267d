import type { Assistant } from "../protocol/assistants.ts";
import type { JsonObject } from "../protocol/json.ts";
import { modesOf, type Intake } from "./a2a.ts";

export interface CardFacts {
  readonly assistant: Pick<Assistant, "assistant_id" | "name" | "description" | "version">;
  /** What the configuration says of the assistant's graph. */
  readonly graphDescription?: string;
  /** Where its messages go, without a trailing slash. */
  readonly url: string;
  readonly intake: Intake;
  /** Callers need an API key. */
  readonly secured: boolean;
}

/** The v1.0 card, and nothing beside it. */
export function cardV1(facts: CardFacts): JsonObject {
  const { url, secured } = facts;
  return {
    ...identityOf(facts),
    supportedInterfaces: ["1.0", "0.3"].map((protocolVersion) => ({
      url,
      protocolBinding: "JSONRPC",
      protocolVersion,
    })),
    capabilities: { streaming: true, pushNotifications: false },
    ...(secured && {
      securitySchemes: { apiKey: { apiKeySecurityScheme: KEY_V1 } },
      securityRequirements: [{ schemes: { apiKey: { list: [] } } }],
    }),
  };
}

/** One document for the clients of both generations: each finds its own members and ignores the other's. */
export function cardForAll(facts: CardFacts): JsonObject {
  const { url, secured } = facts;
  const card = cardV1(facts);
  return {
    ...card,
    protocolVersion: "0.3.0",
    url,
    preferredTransport: "JSONRPC",
    additionalInterfaces: [{ url, transport: "JSONRPC" }],
    capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: false },
    supportsAuthenticatedExtendedCard: false,
    ...(secured && {
      securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key", apiKeySecurityScheme: KEY_V1 } },
      security: [{ apiKey: [] }],
    }),
  };
}

const KEY_V1 = { location: "header", name: "x-api-key" };

function identityOf({ assistant, graphDescription, intake }: CardFacts): JsonObject {
  const { name } = assistant;
  const description = assistant.description?.trim() || graphDescription?.trim() || `${name} assistant`;
  const modes = modesOf(intake);
  return {
    name,
    description,
    version: String(assistant.version),
    defaultInputModes: modes.input,
    defaultOutputModes: modes.output,
    skills: [{ id: `${assistant.assistant_id}-main`, name, description, tags: ["assistant"] }],
  };
}

export interface CallerPath {
  /** Scheme and host under which the server was reached. */
  readonly base: string;
  /** Path of the request as the caller wrote it. */
  readonly path: string;
  readonly deployment: string;
  /** As the caller named the assistant. */
  readonly assistant: string;
}

/**
 * A2A address of an assistant in the form of address that the caller used: below `/agents/<name>`, or bare at the
 * deployment's own host and, for the default deployment, at the root of any.
 */
export function a2aUrl({ base, path, deployment, assistant }: CallerPath): string {
  const prefix = `/agents/${deployment}`;
  const bare = deployment === "default" || /^https?:\/\/([^/.]+)\.agents\./i.exec(base)?.[1] === deployment;
  const below = path.startsWith(`${prefix}/`) || !bare ? prefix : "";
  return `${base}${below}/a2a/${encodeURIComponent(assistant)}`;
}
