import type { RunError } from "./stream.ts";

/** State of the process that holds a deployment's code. */
export type WorkerState =
  | { status: "starting"; attempt: number }
  | { status: "ready"; pid: number; since: string; startedInMs: number; memory?: number; langgraph: string }
  /** Ended without being asked to; the next start is at `retryAt`. */
  | { status: "crashed"; reason: string; attempt: number; retryAt: string }
  /** Given up after too many crashes, or nothing to load. */
  | { status: "failed"; reason: string }
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
  /** `ready`: every graph serves. `degraded`: some do, or the worker restarts. `failed`: nothing serves. */
  status: "provisioning" | "ready" | "degraded" | "failed" | "stopped";
  /** What is served, in words: a folder's name, later a repository and commit. */
  source: string;
  /** Why the configuration could not be read, when it could not. */
  problem?: string;
  graphs: GraphState[];
  worker: WorkerState;
  a2a: boolean;
}
