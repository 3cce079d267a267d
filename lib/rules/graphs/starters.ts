import type { AppConfig } from "../../protocol/config.ts";

/** The question for an application that suggests none. */
const DEFAULT_STARTERS = ["Hello! What can you do?"];
const MOST_STARTERS = 4;

/** Returns suggested first questions: the list `starters` of the graph's entry in `graphlib.json`. Never empty. */
export function startersOf(config: AppConfig | undefined, graph: string): readonly string[] {
  const entry: Record<string, unknown> = { ...config?.graphs[graph] };
  const questions = Array.isArray(entry.starters) ? entry.starters.filter((one) => typeof one === "string") : [];
  return questions.length > 0 ? questions.slice(0, MOST_STARTERS) : DEFAULT_STARTERS;
}
