import type { RevisionState } from "../../protocol/revisions.ts";

/** The events of a revision until it is live, and then those of one that serves. */
export const revisionEvents = [
  /** A build slot is free. A revision whose build is stored continues at `starting`, by `claim_built`. */
  "claim",
  "claim_built",
  /** The current step is done. */
  "advance",
  /** The validation has shown that the code does not compile, so no packages are installed. */
  "no_code",
  /** The current step failed, took too long, or was begun too often. */
  "fail",
  "cancel",
  /** A newer revision was created while this one waited. */
  "skip",
  /** The platform stopped during the build, so the revision waits again. */
  "requeue",
  "crash",
  "recover",
  "give_up",
  /** Code that has served before could not be started. */
  "fail_to_start",
  /** A newer revision is live. */
  "replace",
  "stop",
  "start",
] as const;
export type RevisionEvent = (typeof revisionEvents)[number];

type NextStates = Record<RevisionEvent, RevisionState | null>;

/** A revision whose state is final. The other states name the events that change them. */
const OVER = {
  claim: null,
  claim_built: null,
  advance: null,
  no_code: null,
  fail: null,
  cancel: null,
  skip: null,
  requeue: null,
  crash: null,
  recover: null,
  give_up: null,
  fail_to_start: null,
  replace: null,
  stop: null,
  start: null,
} as const satisfies NextStates;

/** A revision that serves, or would serve, until a newer one replaces it. */
const HELD = { ...OVER, fail_to_start: "failed", replace: "replaced" } as const;

/** Returns the transitions of a build step. Every step can be cancelled, and queued again. */
const step = <Done extends RevisionState, Failed extends RevisionState>(advance: Done, fail: Failed) =>
  ({ ...OVER, advance, fail, cancel: "cancelled", requeue: "queued" }) as const;

/** The next state after every event in every state; null if the event changes nothing. */
export const revisionTransitions = {
  queued: { ...OVER, claim: "cloning", claim_built: "starting", cancel: "cancelled", skip: "skipped" },
  cloning: step("validating", "source_failed"),
  validating: { ...step("installing", "config_failed"), no_code: "building" },
  installing: step("building", "install_failed"),
  building: step("starting", "build_failed"),
  starting: step("checking", "start_failed"),
  checking: step("live", "health_failed"),
  live: { ...HELD, crash: "crashed", stop: "stopped" },
  crashed: { ...HELD, crash: "crashed", recover: "live", give_up: "failed", stop: "stopped" },
  stopped: { ...HELD, start: "live" },
  // The revision was live. The platform tries to start it again until a newer one replaces it.
  failed: { ...HELD, recover: "live", stop: "stopped" },
  replaced: OVER,
  source_failed: OVER,
  config_failed: OVER,
  install_failed: OVER,
  build_failed: OVER,
  start_failed: OVER,
  health_failed: OVER,
  cancelled: OVER,
  skipped: OVER,
} as const satisfies Record<RevisionState, NextStates>;

/** Returns the state after an event; null if it changes nothing. Total. */
export function nextRevisionState(state: RevisionState, event: RevisionEvent): RevisionState | null {
  return revisionTransitions[state][event];
}

/** The states of a revision that serves, or would if its deployment were not stopped, until a newer one replaces it. */
export const heldStates = allStates().filter((state) => nextRevisionState(state, "replace") !== null);

/** Casts the keys of the table, which has a row for every state and no others. */
function allStates(): RevisionState[] {
  return Object.keys(revisionTransitions) as RevisionState[];
}

/** Returns whether no event can change the state of a revision any more. */
export function isOver(state: RevisionState): boolean {
  return revisionEvents.every((event) => nextRevisionState(state, event) === null);
}
