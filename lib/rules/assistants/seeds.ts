/** Reads the configuration that an application's variables give to the assistants of its graphs. */
import * as z from "zod";
import { type JsonObject, parseJson } from "../../protocol/json.ts";
import { RunConfig } from "../../protocol/runs.ts";

/** A JSON object keyed by graph: `{ "agent": { "configurable": {}, "context": {}, "recursion_limit": 25 } }`. */
export const SEEDS_VARIABLE = "LANGGRAPH_CONFIG";

export interface AssistantSeed {
  config: RunConfig;
  context: JsonObject;
}

export type AssistantSeeds = Readonly<Record<string, AssistantSeed>>;

const Seeds = z.record(
  z.string(),
  z.looseObject({ context: z.record(z.string(), z.unknown()).nullish() }).and(RunConfig),
);

/** Reads the variable's text. `problem` says what is wrong with it. Total. */
export function readSeeds(text: string | undefined): { seeds: AssistantSeeds; problem?: string } {
  if (text === undefined || text.trim() === "") return { seeds: {} };
  const read = Seeds.safeParse(parseJson(text));
  if (!read.success) {
    const at = read.error.issues[0]?.path.join(".");
    const problem = `${SEEDS_VARIABLE} is no JSON object of configurations by name of graph${at ? ` (see ${at})` : ""}`;
    return { seeds: {}, problem };
  }
  const entries = Object.entries(read.data).map(([graph, { context, ...config }]): [string, AssistantSeed] => {
    return [graph, { config, context: context ?? {} }];
  });
  return { seeds: Object.fromEntries(entries) };
}
