import type { CardMembers, CardSkill } from "../../protocol/agent-card.ts";
import type { Assistant } from "../../protocol/assistants.ts";
import type { AppConfig } from "../../protocol/config.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Intake } from "../a2a/message-to-run.ts";
import { agentModes } from "./modes.ts";
import { cardSecurity, securityForAll, securityV03, securityV1 } from "./security.ts";
import { cardSources, said } from "./sources.ts";

export interface CardFacts {
  readonly assistant: Pick<Assistant, "assistant_id" | "graph_id" | "name" | "description" | "version" | "metadata">;
  readonly config: AppConfig | undefined;
  /** Where its messages go, without a trailing slash. */
  readonly url: string;
  readonly intake: Intake;
  /** The server has a key. */
  readonly keyed: boolean;
  /** Tasks may name an address that is told of their changes. */
  readonly pushes: boolean;
}

/** What everybody sees, or what a caller sees that has shown who it is. */
export type CardView = "public" | "extended";

/** The v1.0 card, and nothing beside it. */
export function cardV1(facts: CardFacts, view: CardView = "public"): JsonObject {
  const { url } = facts;
  return {
    ...identityOf(facts, view),
    supportedInterfaces: ["1.0", "0.3"].map((protocolVersion) => ({
      url,
      protocolBinding: "JSONRPC",
      protocolVersion,
    })),
    capabilities: capabilitiesV1(facts),
    ...securityV1(securityOf(facts)),
  };
}

/** The v0.3 card, and nothing beside it. */
export function cardV03(facts: CardFacts, view: CardView = "public"): JsonObject {
  const { url } = facts;
  return {
    ...identityOf(facts, view),
    protocolVersion: "0.3.0",
    url,
    preferredTransport: "JSONRPC",
    additionalInterfaces: [{ url, transport: "JSONRPC" }],
    capabilities: capabilitiesV03(facts),
    supportsAuthenticatedExtendedCard: offersExtended(facts),
    ...securityV03(securityOf(facts)),
  };
}

/** One document for the clients of both generations: each finds its own members and ignores the other's. */
export function cardForAll(facts: CardFacts): JsonObject {
  return {
    ...cardV03(facts),
    ...cardV1(facts),
    capabilities: { ...capabilitiesV03(facts), ...capabilitiesV1(facts) },
    ...securityForAll(securityOf(facts)),
  };
}

function capabilitiesV1(facts: CardFacts): JsonObject {
  const extended = offersExtended(facts) && { extendedAgentCard: true };
  return { streaming: true, pushNotifications: facts.pushes, ...extended };
}

function capabilitiesV03({ pushes }: CardFacts): JsonObject {
  return { streaming: true, pushNotifications: pushes, stateTransitionHistory: false };
}

/** Whether somebody has said what an authenticated caller sees beside, and callers can be told apart. */
export function offersExtended({ assistant, config, keyed }: CardFacts): boolean {
  const sources = cardSources({ assistant, config, graph: assistant.graph_id });
  const isSaid = sources.some(({ extended = {} }) => Object.values(extended).some((member) => member !== undefined));
  return isSaid && (keyed || config?.auth !== undefined);
}

const securityOf = ({ keyed, config }: CardFacts) => cardSecurity({ keyed, auth: config?.auth });

function identityOf({ assistant, config, intake }: CardFacts, view: CardView): JsonObject {
  const place = { assistant, config, graph: assistant.graph_id };
  const plain = cardSources(place);
  const beside = view === "extended" ? plain.map(({ extended }) => extended ?? {}) : [];
  const sources = [...beside, ...plain];
  const name = said(sources, "name") ?? (oneOf(assistant.name, assistant.graph_id) || "assistant");
  const description =
    said(sources, "description") ?? oneOf(assistant.description, graphDescription(place), `${name} assistant`);
  const modes = agentModes({ ...place, intake });
  const derived = { id: `${assistant.assistant_id}-main`, name, description, tags: ["assistant"] };
  return {
    name,
    description,
    version: said(sources, "version") ?? String(assistant.version),
    provider: providerOf(said(sources, "provider")),
    documentationUrl: said(sources, "documentation_url"),
    iconUrl: said(sources, "icon_url"),
    defaultInputModes: said(beside, "input_modes") ?? modes.input,
    defaultOutputModes: said(beside, "output_modes") ?? modes.output,
    skills: skillsOf(said(plain, "skills") ?? [derived], said(beside, "skills")),
  };
}

function graphDescription({ config, graph }: { config: AppConfig | undefined; graph: string }): string | undefined {
  const graphs = config?.graphs ?? {};
  return Object.hasOwn(graphs, graph) ? graphs[graph]?.description : undefined;
}

/** The first text that says something. */
function oneOf(...texts: (string | null | undefined)[]): string {
  const found = texts.map((text) => text?.trim() ?? "").find((text) => text !== "");
  return (found ?? "").toWellFormed();
}

function providerOf(provider: CardMembers["provider"]): JsonObject | undefined {
  return provider && { organization: provider.organization, url: provider.url };
}

/** Those beside come after; one of the same id takes the other's place. */
function skillsOf(plain: CardSkill[], beside: CardSkill[] = []): JsonObject[] {
  const skills = new Map([...plain, ...beside].map((skill) => [skill.id, skill]));
  return Array.from(skills.values(), ({ id, name, description, tags, examples, input_modes, output_modes }) => ({
    id,
    name,
    description,
    tags,
    ...(examples?.length && { examples }),
    inputModes: input_modes,
    outputModes: output_modes,
  }));
}

export interface CallerPath {
  /** Scheme and host under which the server was reached. */
  readonly base: string;
  /** Path of the request as the caller wrote it. */
  readonly path: string;
  readonly deployment: string;
  /** A path below which the deployment answers as well, without a final slash. */
  readonly prefix?: string;
}

const ORIGIN = /^https?:\/\/[^/]*/;

/**
 * Address of a deployment in the form that the caller used: below `/agents/<name>`, or bare at the deployment's own host
 * and, for the default deployment, at the root of any; with the prefix where the caller wrote that, as a proxy may let
 * nothing else through.
 */
export function deploymentUrl({ base, path, deployment, prefix = "" }: CallerPath): string {
  const named = `/agents/${deployment}`;
  const isBare = deployment === "default" || /^https?:\/\/([^/.]+)\.agents\./i.exec(base)?.[1] === deployment;
  const isNamed = path.startsWith(`${named}/`);
  const below = isNamed ? path.slice(named.length) : path;
  // A public address that has the prefix already has it once.
  const isMounted = prefix !== "" && below.startsWith(`${prefix}/`) && !base.replace(ORIGIN, "").endsWith(prefix);
  return base + (isNamed || !isBare ? named : "") + (isMounted ? prefix : "");
}

/** A2A address of an assistant, named as the caller did. */
export function a2aUrl(caller: CallerPath & { readonly assistant: string }): string {
  return `${deploymentUrl(caller)}/a2a/${encodeURIComponent(caller.assistant.toWellFormed())}`;
}
