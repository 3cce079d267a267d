/** The messages for callers of a deployment that has no running code. */
import type { RevisionState } from "../../protocol/revisions.ts";
import { isUnderway } from "./phases.ts";

export interface ServingFacts {
  name: string;
  wanted: "running" | "stopped" | "deleted";
  /** The number of the revision that would serve. */
  live: number | null;
  newest?: { number: number; state: RevisionState };
  /** Set while the code of the live revision is starting. */
  starting: boolean;
}

export interface NotServed {
  message: string;
  /** Seconds after which a retry may succeed; left out when somebody has to act first. */
  retryAfter?: number;
}

const STARTS_S = 2;
const BUILDS_S = 10;

/** Returns why a deployment does not serve. It leaves out why a build failed, because callers cannot fix it. Total. */
export function whyNotServed({ name, wanted, live, newest, starting }: ServingFacts): NotServed {
  const deployment = `Deployment "${name}"`;
  if (wanted === "deleted") return { message: `${deployment} is being deleted` };
  if (wanted === "stopped") return { message: `${deployment} is stopped. Start it in the console to use it again.` };
  if (!newest) return { message: `${deployment} is being created`, retryAfter: STARTS_S };
  const { number, state } = newest;
  if (isUnderway(state)) {
    const doing = state === "queued" ? "waits to be built" : `is being built (${state})`;
    const yet = live === null ? "is not live yet" : "could not be started";
    return { message: `${deployment} ${yet}: its revision ${number} ${doing}. Try again soon.`, retryAfter: BUILDS_S };
  }
  if (live !== null && starting) {
    return { message: `${deployment} is starting. Try again in a moment.`, retryAfter: STARTS_S };
  }
  const what = live === null ? "has no revision that serves" : "could not be started";
  return {
    message: `${deployment} ${what}: revision ${number} is ${wordOf(state)}. Its page in the console says why; deploy it again.`,
  };
}

/** Returns the state in words, such as `not built (install failed)`. */
function wordOf(state: RevisionState): string {
  return state.endsWith("_failed") ? `not built (${state.replace("_", " ")})` : state;
}

/** Seconds between attempts to start code that was given up after too many crashes. */
export const GIVEN_UP_S = 60;
