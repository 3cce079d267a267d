import { cookies } from "next/headers";
import { countThreads } from "#lib/engine/threads/threads.ts";
import type { Platform } from "#lib/engine/ports/ports.ts";
import { isInPlace } from "#lib/rules/sources/in-place.ts";
import { startersOf } from "#lib/rules/graphs/starters.ts";
import { FIRST_MINUTE_COOKIE, type FirstMinuteState, GRAPH_SEEN } from "../_shell/first-minute-cookie.ts";

const SAMPLE = "default";

/**
 * Returns what a newcomer has done; undefined once there is nothing to lead to: an own application is served or being
 * built, or somebody has dismissed the steps.
 */
export async function firstMinute(platform: Platform): Promise<FirstMinuteState | undefined> {
  const [deployment, ...others] = platform.list();
  if (deployment?.name !== SAMPLE || others.length > 0) return undefined;
  const { source } = deployment.lifecycle;
  // The sample is the application of this folder, which is served where no other one was given.
  if (!isInPlace(source) || source.path !== process.cwd()) return undefined;
  const graph = Object.keys(deployment.config?.graphs ?? {})[0];
  const remembered = (await cookies()).get(FIRST_MINUTE_COOKIE)?.value;
  if (graph === undefined || (remembered !== undefined && remembered !== GRAPH_SEEN)) return undefined;
  return {
    deployment: SAMPLE,
    graph,
    starters: startersOf(deployment.config, graph),
    hasAsked: (await countThreads(deployment, {})) > 0,
    hasSeenGraph: remembered === GRAPH_SEEN,
  };
}
