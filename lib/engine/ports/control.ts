/** Ports of the control plane: hosting of deployments, and all that building and serving them needs. */
import type { AssistantSeeds } from "../../rules/assistants/seeds.ts";
import type { AppConfig } from "../../protocol/config.ts";
import type { DeploymentStore, LineLog, RevisionStore, StepContext, StoredDeployment, BuildTools } from "./builds.ts";
import type { VariableStore } from "./variables.ts";
import type { IsolationFacts } from "../../rules/workers/isolation.ts";
import type { Source } from "../../protocol/sources.ts";
import type { SecretBox, SessionStore } from "./keys.ts";
import type { Deployment, Worker } from "./ports.ts";

/** What is started: the files of a build with the deployment's variables. */
export interface Build {
  deployment: StoredDeployment;
  /** Of the revision: the deployment may have another one by now. */
  source: Source;
  number: number;
  /** Absolute path of the application's folder. */
  folder: string;
  /** Absolute path of the source's root, where compiled code lies; none of a folder that is served in place. */
  root?: string;
  /** Major version of Node.js. */
  node: string;
  variables: Readonly<Record<string, string>>;
  /** Those that nothing may show. */
  secrets: Readonly<Record<string, string>>;
}

/** Code that was started beside what serves. */
export interface Candidate {
  /** It has loaded, or has failed to. */
  readonly worker: Worker;
  readonly config: AppConfig;
  readonly seeds: AssistantSeeds;
  /** Ends it: it will not serve. */
  discard(): Promise<void>;
}

/** Hosts deployments: opens them, starts their code, and puts new code in the place of old. */
export interface Hosting {
  /** Lets a deployment be found, with its database, if it is not found yet; nothing of its code is started. */
  open(deployment: StoredDeployment): Promise<Deployment>;
  /**
   * Starts code beside what serves, and waits until it has loaded. Throws `StepFailure` when its configuration can't be
   * read, or it does not start; a folder that is served in place is tried again then, until it does.
   */
  start(build: Build, context: StepContext): Promise<Candidate>;
  /**
   * Serves code that has served before, as soon as it has loaded and however often that has to be tried. Throws
   * `StepFailure` when its configuration can't be read.
   */
  resume(build: Build): Promise<void>;
  /** From now on it serves, in place of what did: no request is refused, and what is under way goes on. */
  serve(name: string, candidate: Candidate): void;
  /** Ends the code of a deployment, which stays to be found. */
  stop(name: string, reason: string): Promise<void>;
  /** Ends it and removes its database, so that a later deployment of this name finds nothing in it. */
  remove(name: string): Promise<void>;
}

/** A build that goes on in this process. */
export interface BuildHandle {
  readonly abort: AbortController;
  /** Resolves when all of it has stopped and its end is stored. */
  readonly ended: Promise<void>;
}

/** All that deploying needs, beside what serving needs. */
export interface ControlPlane {
  readonly deployments: DeploymentStore;
  readonly revisions: RevisionStore;
  readonly variables: VariableStore;
  readonly lines: LineLog;
  readonly sessions: SessionStore;
  readonly box: SecretBox;
  readonly buildTools: BuildTools;
  readonly hosting: Hosting;
  /** How the code of deployments is isolated here. */
  readonly isolation: IsolationFacts;
  /** Builds under way, by `buildName`. */
  readonly building: Map<string, BuildHandle>;
  /** Says that a revision may wait to be built. */
  wake(): void;
  /** Says that something of a deployment has changed, for whoever looks at it. */
  emitChange(name: string): void;
}
