import type { AppConfig } from "../../protocol/config.ts";

/** Used where an application suggests nothing. */
const COMMON = ["Hello! What can you do?"];
const MOST = 4;

/** What to ask a graph first: `starters` of its entry in `graphlib.json`, a list of questions. Never empty. */
export function startersOf(config: AppConfig | undefined, graph: string): readonly string[] {
  const entry: Record<string, unknown> = { ...config?.graphs[graph] };
  const told = Array.isArray(entry.starters) ? entry.starters.filter((one) => typeof one === "string") : [];
  return told.length > 0 ? told.slice(0, MOST) : COMMON;
}
