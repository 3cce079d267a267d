import { buildSteps } from "../../protocol/build-steps.ts";
import type { RevisionState } from "../../protocol/revisions.ts";

/** What happens to a revision until it is live. */
const buildEvents = [
  /** A build slot is free; a build that is kept already goes on at `starting`. */
  "claim",
  "claim_built",
  /** The step under way is done. */
  "advance",
  /** The look at the code has shown that it does not compile: no package is installed for that. */
  "no_code",
  /** The step under way failed, took too long, or was begun too often. */
  "fail",
  "cancel",
  /** A newer revision came before its turn. */
  "skip",
  /** The platform stopped during its build: it waits for its turn again. */
  "requeue",
] as const;

/** What happens to a revision while it serves. */
const serveEvents = [
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

export const revisionEvents = [...buildEvents, ...serveEvents] as const;
export type RevisionEvent = (typeof revisionEvents)[number];

type NextStates<Event extends string> = Record<Event, RevisionState | null>;

const NOT_BUILT = {
  claim: null,
  claim_built: null,
  advance: null,
  no_code: null,
  fail: null,
  cancel: null,
  skip: null,
  requeue: null,
} satisfies NextStates<(typeof buildEvents)[number]>;

const NOT_SERVED = {
  crash: null,
  recover: null,
  give_up: null,
  fail_to_start: null,
  replace: null,
  stop: null,
  start: null,
} satisfies NextStates<(typeof serveEvents)[number]>;

const OVER = { ...NOT_BUILT, ...NOT_SERVED };

/** It can be cancelled, and taken up again, at every step. */
const step = <Done extends RevisionState, Failed extends RevisionState>(advance: Done, fail: Failed) =>
  ({
    ...NOT_SERVED,
    claim: null,
    claim_built: null,
    advance,
    no_code: null,
    fail,
    cancel: "cancelled",
    skip: null,
    requeue: "queued",
  }) as const;

/** The state after every event in every state; null where the event changes nothing. */
export const revisionTransitions = {
  queued: {
    ...NOT_SERVED,
    claim: "cloning",
    claim_built: "starting",
    advance: null,
    no_code: null,
    fail: null,
    cancel: "cancelled",
    skip: "skipped",
    requeue: null,
  },
  cloning: step("validating", "source_failed"),
  validating: { ...step("installing", "config_failed"), no_code: "building" },
  installing: step("building", "install_failed"),
  building: step("starting", "build_failed"),
  starting: step("checking", "start_failed"),
  checking: step("live", "health_failed"),
  live: {
    ...NOT_BUILT,
    crash: "crashed",
    recover: null,
    give_up: null,
    fail_to_start: "failed",
    replace: "replaced",
    stop: "stopped",
    start: null,
  },
  crashed: {
    ...NOT_BUILT,
    crash: "crashed",
    recover: "live",
    give_up: "failed",
    fail_to_start: "failed",
    replace: "replaced",
    stop: "stopped",
    start: null,
  },
  stopped: {
    ...NOT_BUILT,
    crash: null,
    recover: null,
    give_up: null,
    fail_to_start: "failed",
    replace: "replaced",
    stop: null,
    start: "live",
  },
  // It was live: the platform goes on trying, and a newer one takes its place.
  failed: {
    ...NOT_BUILT,
    crash: null,
    recover: "live",
    give_up: null,
    fail_to_start: "failed",
    replace: "replaced",
    stop: "stopped",
    start: null,
  },
  replaced: OVER,
  source_failed: OVER,
  config_failed: OVER,
  install_failed: OVER,
  build_failed: OVER,
  start_failed: OVER,
  health_failed: OVER,
  cancelled: OVER,
  skipped: OVER,
} as const satisfies Record<RevisionState, NextStates<RevisionEvent>>;

/** The state after an event; null where it changes nothing. Total. */
export function nextRevisionState(state: RevisionState, event: RevisionEvent): RevisionState | null {
  return revisionTransitions[state][event];
}

/** Whether it is being built. */
export function isBuilding(state: RevisionState): boolean {
  return buildSteps.some((one) => one === state);
}

/** Whether it waits for its turn or is being built. */
export function isUnderway(state: RevisionState): boolean {
  return state === "queued" || isBuilding(state);
}

/** States of a revision that serves, or would if its deployment were not stopped: a newer one takes its place. */
export const heldStates = allStates().filter((state) => nextRevisionState(state, "replace") !== null);

/** The table has a row for every state, and no other. */
function allStates(): RevisionState[] {
  return Object.keys(revisionTransitions) as RevisionState[];
}

/** Whether nothing will happen to it any more. */
export function isOver(state: RevisionState): boolean {
  return revisionEvents.every((event) => nextRevisionState(state, event) === null);
}
