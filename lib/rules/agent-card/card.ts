import type { CardMembers, CardSkill } from "../../protocol/agent-card.ts";
import type { Assistant } from "../../protocol/assistants.ts";
import type { AppConfig } from "../../protocol/config.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { GraphInterface } from "../a2a/message-to-run.ts";
import { agentModes } from "./modes.ts";
import { cardSecurity, securityForAll, securityV03, securityV1 } from "./security.ts";
import { cardSources, firstMember } from "./sources.ts";

export interface CardFacts {
  readonly assistant: Pick<Assistant, "assistant_id" | "graph_id" | "name" | "description" | "version" | "metadata">;
  readonly config: AppConfig | undefined;
  /** The address of its A2A endpoint, without a trailing slash. */
  readonly url: string;
  readonly graphInterface: GraphInterface;
  /** Set when the server has an API key. */
  readonly keyed: boolean;
  /** Set when tasks may have push notifications. */
  readonly pushes: boolean;
}

/** The card for everybody, or the one for authenticated callers. */
export type CardView = "public" | "extended";

/** Returns the card of v1.0 without members of v0.3. */
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

/** Returns the card of v0.3 without members of v1.0. */
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

/** Returns one document for the clients of both generations. Each reads its own members and ignores the other's. */
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

/** Returns whether an extended card is configured and the server can authenticate callers. */
export function offersExtended({ assistant, config, keyed }: CardFacts): boolean {
  const sources = cardSources({ assistant, config, graph: assistant.graph_id });
  const isConfigured = sources.some(({ extended = {} }) =>
    Object.values(extended).some((member) => member !== undefined),
  );
  return isConfigured && (keyed || config?.auth !== undefined);
}

const securityOf = ({ keyed, config }: CardFacts) => cardSecurity({ keyed, auth: config?.auth });

function identityOf({ assistant, config, graphInterface }: CardFacts, view: CardView): JsonObject {
  const scope = { assistant, config, graph: assistant.graph_id };
  const plain = cardSources(scope);
  const extended = view === "extended" ? plain.map((source) => source.extended ?? {}) : [];
  const sources = [...extended, ...plain];
  const name = firstMember(sources, "name") ?? (firstText(assistant.name, assistant.graph_id) || "assistant");
  const description =
    firstMember(sources, "description") ??
    firstText(assistant.description, graphDescription(scope), `${name} assistant`);
  const modes = agentModes({ ...scope, graphInterface });
  const derived = { id: `${assistant.assistant_id}-main`, name, description, tags: ["assistant"] };
  return {
    name,
    description,
    version: firstMember(sources, "version") ?? String(assistant.version),
    provider: providerOf(firstMember(sources, "provider")),
    documentationUrl: firstMember(sources, "documentation_url"),
    iconUrl: firstMember(sources, "icon_url"),
    defaultInputModes: firstMember(extended, "input_modes") ?? modes.input,
    defaultOutputModes: firstMember(extended, "output_modes") ?? modes.output,
    skills: skillsOf(firstMember(plain, "skills") ?? [derived], firstMember(extended, "skills")),
  };
}

function graphDescription({ config, graph }: { config: AppConfig | undefined; graph: string }): string | undefined {
  const graphs = config?.graphs ?? {};
  return Object.hasOwn(graphs, graph) ? graphs[graph]?.description : undefined;
}

/** Returns the first text that is not blank. */
function firstText(...texts: (string | null | undefined)[]): string {
  const found = texts.map((text) => text?.trim() ?? "").find((text) => text !== "");
  return (found ?? "").toWellFormed();
}

function providerOf(provider: CardMembers["provider"]): JsonObject | undefined {
  return provider && { organization: provider.organization, url: provider.url };
}

/** Lists the skills of the extended card after the public ones. A skill with the same id replaces the public one. */
function skillsOf(plain: CardSkill[], extended: CardSkill[] = []): JsonObject[] {
  const skills = new Map([...plain, ...extended].map((skill) => [skill.id, skill]));
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
  /** The scheme and host under which the server was reached. */
  readonly base: string;
  /** The path of the request as the caller wrote it. */
  readonly path: string;
  readonly deployment: string;
  /** A path below which the deployment is served too, without a final slash. */
  readonly prefix?: string;
}

const ORIGIN = /^https?:\/\/[^/]*/;

/**
 * Returns the address of a deployment in the form that the caller used: below `/agents/<name>`, or at the root of the
 * deployment's own host or, for the default deployment, of any host. The prefix is kept when the caller wrote it,
 * because a proxy may forward no other path.
 */
export function deploymentUrl({ base, path, deployment, prefix = "" }: CallerPath): string {
  const named = `/agents/${deployment}`;
  const isBare = deployment === "default" || /^https?:\/\/([^/.]+)\.agents\./i.exec(base)?.[1] === deployment;
  const isNamed = path.startsWith(`${named}/`);
  const below = isNamed ? path.slice(named.length) : path;
  // The prefix is not repeated when the public address ends with it.
  const isMounted = prefix !== "" && below.startsWith(`${prefix}/`) && !base.replace(ORIGIN, "").endsWith(prefix);
  return base + (isNamed || !isBare ? named : "") + (isMounted ? prefix : "");
}

/** Returns the A2A address of an assistant, with the name that the caller used. */
export function a2aUrl(caller: CallerPath & { readonly assistant: string }): string {
  return `${deploymentUrl(caller)}/a2a/${encodeURIComponent(caller.assistant.toWellFormed())}`;
}
