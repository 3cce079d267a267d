import { buildSteps } from "../../protocol/build-steps.ts";
import type { RevisionState } from "../../protocol/revisions.ts";

/** What happens to a revision. */
export const revisionEvents = [
  /** A build slot is free; a build that is kept already goes on at `starting`. */
  "claim",
  "claim_built",
  /** The step under way is done. */
  "advance",
  /** The look at the code has shown that it does not compile: no package is installed for that. */
  "no_code",
  /** The step under way failed, or took too long. */
  "fail",
  "cancel",
  /** A newer revision came before its turn. */
  "skip",
  /** The platform stopped during its build: it waits for its turn again. */
  "requeue",
  "crash",
  "recover",
  "give_up",
  /** A newer revision is live. */
  "replace",
  "stop",
  "start",
] as const;
export type RevisionEvent = (typeof revisionEvents)[number];

type Transitions = Partial<Record<RevisionEvent, RevisionState>>;

/** Where it goes from a step; it can be cancelled and taken up again at any of them. */
const step = (advance: RevisionState, fail: RevisionState): Transitions => ({
  advance,
  fail,
  cancel: "cancelled",
  requeue: "queued",
});

const served: Transitions = { crash: "crashed", replace: "replaced", stop: "stopped" };

/** Every state under every event; what is left out changes nothing. */
const transitions: Record<RevisionState, Transitions> = {
  queued: { claim: "cloning", claim_built: "starting", cancel: "cancelled", skip: "skipped" },
  cloning: step("validating", "source_failed"),
  validating: { ...step("installing", "config_failed"), no_code: "building" },
  installing: step("building", "install_failed"),
  building: step("starting", "build_failed"),
  starting: step("checking", "start_failed"),
  checking: step("live", "health_failed"),
  live: served,
  crashed: { ...served, recover: "live", give_up: "failed" },
  stopped: { start: "live", replace: "replaced" },
  // It was live: the platform goes on trying, and a newer one takes its place.
  failed: { recover: "live", replace: "replaced", stop: "stopped" },
  replaced: {},
  source_failed: {},
  config_failed: {},
  install_failed: {},
  build_failed: {},
  start_failed: {},
  health_failed: {},
  cancelled: {},
  skipped: {},
};

/** The state after an event; undefined where it changes nothing. Total. */
export function nextRevisionState(state: RevisionState, event: RevisionEvent): RevisionState | undefined {
  return transitions[state][event];
}

/** Whether it is being built. */
export function isBuilding(state: RevisionState): boolean {
  return buildSteps.some((one) => one === state);
}

/** Whether it waits for its turn or is being built. */
export function isUnderway(state: RevisionState): boolean {
  return state === "queued" || isBuilding(state);
}

/** States of a revision that serves, or would if its deployment were not stopped. */
export const heldStates = ["live", "crashed", "stopped", "failed"] as const satisfies readonly RevisionState[];

/** Whether nothing will happen to it any more. */
export function isOver(state: RevisionState): boolean {
  return revisionEvents.every((event) => nextRevisionState(state, event) === undefined);
}
