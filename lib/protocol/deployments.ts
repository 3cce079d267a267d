import type { RevisionState } from "./revisions.ts";
import type { Commit } from "./sources.ts";
import type { RunError } from "./stream.ts";

/** State of the process that holds a deployment's code. */
export type WorkerState =
  | { status: "starting"; attempt: number }
  | { status: "ready"; pid: number; since: string; startedInMs: number; memory?: number; langgraph: string }
  /** Ended without being asked to; the next start is at `retryAt`. */
  | { status: "crashed"; reason: string; attempt: number; retryAt: string }
  /** Given up after too many crashes, or nothing to load. */
  | { status: "failed"; reason: string }
  /** Ended because nobody needed it; the next call starts it again. */
  | { status: "asleep" }
  | { status: "stopped" };

export interface GraphState {
  graph: string;
  description?: string;
  /** Path of the source relative to the application's folder. */
  path: string;
  error?: RunError;
}

/** One thing that went wrong lately, newest first in lists. */
export interface Incident {
  at: string;
  source: "run" | "worker" | "load";
  error: RunError;
  graph?: string;
  run?: string;
}

/** A deployment as the console and `GET /ok` see it. */
export interface DeploymentView {
  name: string;
  /**
   * `ready`: every graph serves. `updating`: and a newer revision is being built. `degraded`: some do, or the worker
   * restarts. `failed`: nothing serves.
   */
  status: "provisioning" | "ready" | "updating" | "degraded" | "failed" | "stopped" | "deleting";
  /** Where its code comes from, in words. */
  source: string;
  /** The code is served where it lies: nothing is built. */
  in_place: boolean;
  /** The revision that serves, or would. */
  live: { number: number; commit: Commit | null; since: string | null } | null;
  /** The newest revision, whatever became of it. */
  newest: { number: number; state: RevisionState } | null;
  /** Why the configuration could not be read, when it could not. */
  problem?: string;
  /** What holds its code, where there is no second fence on this server. */
  unfenced?: string;
  /** Settings of its configuration that do not do what their author may expect, each with the reason. */
  notes: { setting: string; why: string }[];
  graphs: GraphState[];
  worker: WorkerState;
  a2a: boolean;
}
