import { cookies } from "next/headers";
import { countThreads, searchThreads } from "#lib/engine/threads/threads.ts";
import type { Deployment, Platform } from "#lib/engine/ports/ports.ts";
import { startersOf } from "#lib/rules/graphs/starters.ts";
import { ThreadSearch } from "#lib/protocol/threads.ts";
import { FIRST_MINUTE_COOKIE, type FirstMinuteState, GRAPH_SEEN } from "../_shell/first-minute-cookie.ts";
import { isSample, SAMPLE } from "./sample.ts";

/**
 * Returns what a newcomer has done; undefined once there is nothing to lead to: an own application is served or being
 * built, or somebody has dismissed the steps.
 */
export async function firstMinute(platform: Platform): Promise<FirstMinuteState | undefined> {
  const [deployment, ...others] = platform.list();
  if (!deployment || others.length > 0 || !isSample(deployment)) return undefined;
  const graph = Object.keys(deployment.config?.graphs ?? {})[0];
  const remembered = (await cookies()).get(FIRST_MINUTE_COOKIE)?.value;
  if (graph === undefined || (remembered !== undefined && remembered !== GRAPH_SEEN)) return undefined;
  return {
    deployment: SAMPLE,
    graph,
    starters: startersOf(deployment.config, graph),
    ...(await asked(deployment, graph)),
    hasSeenGraph: remembered === GRAPH_SEEN,
  };
}

/** Returns whether there is a thread, and the id of the graph's newest one. */
async function asked(deployment: Deployment, graph_id: string): Promise<Pick<FirstMinuteState, "hasAsked" | "thread">> {
  const search = ThreadSearch.parse({ metadata: { graph_id }, limit: 1, sort_by: "updated_at", select: ["thread_id"] });
  const { items } = await searchThreads(deployment, search);
  const thread = items[0]?.thread_id;
  if (typeof thread === "string") return { hasAsked: true, thread };
  return { hasAsked: (await countThreads(deployment, {})) > 0 };
}
