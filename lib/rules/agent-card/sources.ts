import { CardMembers, CardSkill, type CardConfig } from "../../protocol/agent-card.ts";
import type { Assistant } from "../../protocol/assistants.ts";
import type { AppConfig } from "../../protocol/config.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";

export interface CardScope {
  readonly assistant: Pick<Assistant, "metadata">;
  readonly config: AppConfig | undefined;
  readonly graph: string;
}

/**
 * Returns the sources in which each member of a card is looked up, in this order: the assistant's metadata, the
 * configuration of its graph, the configuration of all graphs.
 */
export function cardSources({ assistant, config, graph }: CardScope): CardConfig[] {
  const graphs = config?.graphs ?? {};
  const ofGraph = Object.hasOwn(graphs, graph) ? graphs[graph]?.a2a : undefined;
  return [usableCard(assistant.metadata.a2a), ofGraph ?? NOTHING, config?.http.a2a?.card ?? NOTHING];
}

/** Returns a member from the first source that has it. */
export function firstMember<K extends keyof CardMembers>(
  sources: readonly CardMembers[],
  member: K,
): CardMembers[K] | undefined {
  return sources.find((source) => source[member] !== undefined)?.[member];
}

const NOTHING: CardConfig = {};

/** Keeps the valid members of metadata, which anybody can write. The next source supplies the others. Total. */
function usableCard(written: unknown): CardConfig {
  if (!isObject(written)) return NOTHING;
  const extended = isObject(written.extended) ? usableMembers(written.extended) : undefined;
  return { ...usableMembers(written), extended };
}

function usableMembers({ skills, ...others }: JsonObject): CardMembers {
  const good = Array.isArray(skills) ? skills.filter((skill) => CardSkill.safeParse(skill).success) : [];
  const members = { ...others, ...(good.length > 0 && { skills: good.slice(0, 100) }) };
  const read = CardMembers.safeParse(members);
  if (read.success) return read.data;
  const wrong = new Set(read.error.issues.map(({ path }) => path[0]));
  const right = Object.entries(members).filter(([name]) => !wrong.has(name));
  return CardMembers.safeParse(Object.fromEntries(right)).data ?? NOTHING;
}
