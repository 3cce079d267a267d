/** Ports of the control plane: hosting, builds, and the stores behind them. */
import type { AssistantSeeds } from "../../rules/assistants/seeds.ts";
import type { AppConfig } from "../../protocol/config.ts";
import type { BuildTools } from "./build-tools.ts";
import type { DeploymentStore, RevisionStore, StepContext, StoredDeployment } from "./builds.ts";
import type { VariableStore } from "./variables.ts";
import type { IsolationFacts } from "../../rules/workers/isolation.ts";
import type { Source } from "../../protocol/sources.ts";
import type { SecretBox, SessionStore } from "./keys.ts";
import type { Lease } from "./lease.ts";
import type { LineLog } from "./line-log.ts";
import type { Deployment, Worker } from "./ports.ts";

/** The files of a build, with the deployment's variables, ready to be started. */
export interface Build {
  deployment: StoredDeployment;
  /** The revision's source. The deployment may have another one by now. */
  source: Source;
  number: number;
  /** Absolute path of the application's folder. */
  folder: string;
  /** Absolute path of the source's root, which holds compiled code; undefined for a folder that is served in place. */
  root?: string;
  /** Major version of Node.js. */
  node: string;
  variables: Readonly<Record<string, string>>;
  /** Variables whose values must not be shown. */
  secrets: Readonly<Record<string, string>>;
}

/** Code that was started beside the code that serves. */
export interface Candidate {
  /** Its loading has ended, with success or not. */
  readonly worker: Worker;
  readonly config: AppConfig;
  readonly seeds: AssistantSeeds;
  /** Ends the candidate; it will not serve. */
  discard(): Promise<void>;
}

/**
 * Hosts deployments: opens them, starts their code, and replaces it.
 * Implemented in lib/drivers/hosting/local-hosting.ts.
 */
export interface Hosting {
  /** Opens a deployment and its database, so that it can be found. It starts none of its code. */
  open(deployment: StoredDeployment): Promise<Deployment>;
  /**
   * Starts code beside the code that serves, and waits until it has loaded. Throws `StepFailure` when its configuration
   * cannot be read, or it does not start. A folder that is served in place is retried until it starts.
   */
  start(build: Build, context: StepContext): Promise<Candidate>;
  /**
   * Serves code that was live before, as soon as it has loaded; loading is retried without limit. Throws `StepFailure`
   * when its configuration cannot be read.
   */
  resume(build: Build): Promise<void>;
  /** Routes requests to the candidate from now on. No request is refused, and requests under way go on. */
  serve(name: string, candidate: Candidate): void;
  /** Ends the code of a deployment, which stays open. */
  stop(name: string, reason: string): Promise<void>;
  /** Returns the number of the revision whose code serves; undefined if none does. */
  serving(name: string): number | undefined;
  /** Ends a deployment, and leaves its database to others. */
  close(name: string): Promise<void>;
  /** Ends a deployment and removes its database, so that a later deployment of this name starts empty. */
  remove(name: string): Promise<void>;
}

/** A build under way in this process. */
export interface BuildHandle {
  readonly abort: AbortController;
  /** Resolves when all its work has stopped and its end is stored. */
  readonly ended: Promise<void>;
}

/** The stores and drivers of the control plane. */
export interface ControlPlane {
  readonly deployments: DeploymentStore;
  readonly revisions: RevisionStore;
  readonly variables: VariableStore;
  readonly lines: LineLog;
  readonly sessions: SessionStore;
  readonly box: SecretBox;
  readonly buildTools: BuildTools;
  readonly hosting: Hosting;
  /** Undefined for a server that has its databases for itself. */
  readonly lease: Lease | undefined;
  /** The folder of the application for which this server was started. */
  readonly ownFolder: string;
  /** The isolation that this server provides. */
  readonly isolation: IsolationFacts;
  /** Builds under way, by `buildName`. */
  readonly building: Map<string, BuildHandle>;
  /** Why this server does not serve the live revision of a deployment that others may serve, by the deployment's name. */
  readonly troubles: Map<string, string>;
  /** Wakes the builder: a revision may be queued. */
  wake(): void;
  /** Notifies listeners that a deployment has changed, also those of other servers. */
  emitChange(name: string): void;
  /** Notifies the listeners of this server that a deployment has changed. */
  noteChange(name: string): void;
  /** Lets the other servers look for what has changed. */
  tellOthers(): void;
}
