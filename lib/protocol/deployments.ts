import * as z from "zod";
import type { RevisionState } from "./revisions.ts";
import type { Commit } from "./sources.ts";
import type { RunError } from "./stream.ts";

/** State of the process that holds a deployment's code, or of several processes taken together. */
export type WorkerState =
  | { status: "starting"; attempt: number }
  | {
      status: "ready";
      /** The process id, like the two members below, is that of the process that was ready first. */
      pid: number;
      since: string;
      startedInMs: number;
      /** Bytes that all processes take; absent until they were measured. */
      memory?: number | undefined;
      langgraph: string;
      /** Present if the deployment has several processes. */
      processes?: ProcessCounts;
    }
  /** The process ended unexpectedly and is restarted at `retryAt`. */
  | { status: "crashed"; reason: string; attempt: number; retryAt: string }
  /** The process is not restarted, after too many crashes or because there is nothing to load. */
  | { status: "failed"; reason: string }
  /** The process was idle and stopped. The next request starts it again. */
  | { status: "asleep" }
  | { status: "stopped" };

/** Counts of a deployment's processes. Those that are neither ready nor down are starting for the first time. */
export interface ProcessCounts {
  ready: number;
  /** Processes that crashed and are not ready again. */
  down: number;
  total: number;
}

export interface GraphState {
  graph: string;
  description?: string;
  /** Path of the source relative to the application's folder. */
  path: string;
  error?: RunError;
}

/** A recent failure. Lists of them have the newest first. */
export interface Incident {
  at: string;
  source: "run" | "worker" | "load";
  error: RunError;
  graph?: string;
  run?: string;
}

/** One of the servers that share a deployment, with its report on it. */
export const DeploymentServer = z.object({
  /** Changes with each start of the server. */
  id: z.string(),
  /** The name of its machine. */
  host: z.string(),
  /** `api`, `run` or `build`. */
  roles: z.array(z.string()),
  /** The number of the revision whose code serves there; null if none does. */
  revision: z.int().nullable(),
  /** The state of its processes. */
  status: z.enum(["starting", "ready", "crashed", "failed", "asleep", "stopped"] satisfies WorkerState["status"][]),
  /** Why it does not serve the live revision as it should. */
  problem: z.string().optional(),
});
export type DeploymentServer = z.infer<typeof DeploymentServer>;

/** A deployment as the console and `GET /ok` see it. */
export interface DeploymentView {
  name: string;
  /**
   * `ready`: all graphs serve. `updating`: all graphs serve, and a newer revision is being built. `degraded`: only some
   * graphs serve, or a process is restarting. `failed`: nothing serves.
   */
  status: "provisioning" | "ready" | "updating" | "degraded" | "failed" | "stopped" | "deleting";
  /** Readable description of its source. */
  source: string;
  /** True if the code is served from its source folder, without a build. */
  in_place: boolean;
  /** The revision that serves, or that would serve if the worker ran. */
  live: { number: number; commit: Commit | null; since: string | null } | null;
  /** The newest revision in whatever state. */
  newest: { number: number; state: RevisionState } | null;
  /** Reason why the configuration could not be read. */
  problem?: string;
  /** Description of what confines the code, when this server has no sandbox of the operating system. */
  unfenced?: string;
  /** Settings of its configuration that have another effect than expected, each with the reason. */
  notes: { setting: string; why: string }[];
  graphs: GraphState[];
  /** The state of the processes of the server that was asked. */
  worker: WorkerState;
  /** All servers that share it; empty if one server has it for itself. */
  servers: readonly DeploymentServer[];
  a2a: boolean;
}
