/** Ports of deployments, their revisions and builds. */
import type { GraphEntry } from "../../protocol/config.ts";
import type { PackagePlan, PreflightReport } from "../../protocol/preflight.ts";
import type { NewLine, RevisionProblem, RevisionState, RevisionTrigger, StepTimes } from "../../protocol/revisions.ts";
import type { Commit, Credentials, Source, Upload } from "../../protocol/sources.ts";
import type { GraphShapes } from "../../rules/graphs/shape.ts";
import type { RevisionInputs } from "../../rules/revisions/changes.ts";
import type { SecretsChange } from "./variables.ts";

/** Writes a line of a step to the build log. */
export type WriteLine = (line: Omit<NewLine, "step">) => void;

/**
 * Thrown by a step that cannot be done: `message` says what is wrong, `fix` what to do. Anything else that a step
 * throws is a failure of the platform.
 */
export class StepFailure extends Error {
  override readonly name = "StepFailure";
  readonly details: Omit<RevisionProblem, "step" | "message">;

  constructor(message: string, details: Omit<RevisionProblem, "step" | "message"> = {}, cause?: unknown) {
    super(message, { cause });
    this.details = details;
  }
}

/** Compares the name besides the class, because a bundler may hold two copies of this module. */
export function isStepFailure(thrown: unknown): thrown is StepFailure {
  return (
    thrown instanceof StepFailure || (thrown instanceof Error && thrown.name === "StepFailure" && "details" in thrown)
  );
}

export interface StepContext {
  /** Aborted when the build is cancelled or the step's time is over. Nothing that the step started outlives it. */
  signal: AbortSignal;
  writeLine: WriteLine;
}

/** Returns a context for work outside of a build: it has no log. */
export const silentContext = (signal: AbortSignal): StepContext => ({ signal, writeLine: () => undefined });

/** A source that was fetched. */
export interface FetchedSource {
  /** Absolute path of the application's folder: the source's folder, or the requested one inside it. */
  folder: string;
  /** Absolute path of the source's root, which may hold the lockfile. */
  root: string;
  commit?: Commit;
  /** Repository, ref and folder, when the source was given as the address of a page. */
  source?: Source;
}

/** Fetches sources to this machine. Implemented in lib/drivers/sources/fetch.ts. */
export interface Sources {
  /** Fetches a source into `into`, a folder that does not exist yet. Throws `StepFailure`. */
  fetch(
    source: Source,
    credentials: Credentials | undefined,
    into: string,
    context: StepContext,
  ): Promise<FetchedSource>;
  /** Fetches a source into a folder that is kept for a while; later calls update it. Throws `StepFailure`. */
  fetchCached(source: Source, credentials: Credentials | undefined, signal: AbortSignal): Promise<FetchedSource>;
  readonly uploads: Uploads;
  /**
   * Removes leftovers of an earlier process, unused caches, and uploads older than a day. `inUse` names the uploads
   * that a deployment still needs. It is called at the start and at intervals.
   */
  sweep(inUse: ReadonlySet<string>): Promise<void>;
}

/** Archives that are uploaded before a deployment uses them. */
export interface Uploads {
  /** Stores an archive as it arrives. Throws `StepFailure` when it is too large, and the signal's reason. */
  receive(body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Upload>;
}

/** Checks fetched files without running any of them. `variables` are the names that will have a value. */
export type Preflight = (
  fetched: FetchedSource,
  variables: readonly string[],
  signal: AbortSignal,
) => Promise<PreflightReport>;

export interface InstallOptions {
  packages: PackagePlan;
  /** Major version of Node.js. */
  node: string;
  /** Packages may run their install scripts. */
  scripts: boolean;
  /** Variables that the project's .npmrc may use, as `${NPM_TOKEN}`. Nothing else gets them. */
  variables?: Readonly<Record<string, string>>;
  /** The packages that were installed when these files were built, and what they were made for, as `platformName` has it. */
  earlier?: { key: string; platform: string };
}

/** Packages that were installed for a build. */
export interface InstalledPackages {
  /** Names the set of packages. */
  key: string;
  how: Pick<InstallOptions, "packages" | "node" | "scripts">;
}

/** Installs an application's packages, or links those of an earlier build with the same lockfile. */
export type Install = (
  fetched: FetchedSource,
  options: InstallOptions,
  context: StepContext,
) => Promise<{ /** Nothing was downloaded. */ reused: boolean; /** Names the set of packages. */ key: string }>;

/** Compiles the code that the graphs import, so that a worker only has to load it. Throws `StepFailure`. */
export type Compile = (
  fetched: FetchedSource,
  code: {
    graphs: Record<string, GraphEntry>;
    auth?: string;
    app?: string;
    /** `store.index.embed`. */
    embed?: string;
    /** Major version of Node.js that will run it. */
    node?: string;
  },
  context: StepContext,
) => Promise<{ files: number }>;

/** Settings of how a deployment's code is built and run. */
export interface DeploymentSettings {
  /** Packages may run scripts while they are installed. */
  install_scripts: boolean;
  /** Permissions of the code beyond reading its own files. */
  child_processes: boolean;
  addons: boolean;
  /** The number of processes, and the limit of each one's heap. */
  workers: number;
  memory_mb: number;
  /** Limit of the files in the one folder that its processes write to. */
  scratch_mb: number;
  /** Limit of the log that the code prints to; the oldest lines are deleted. */
  log_mb: number;
  /** Minutes without a request after which its processes end, until the next request; never when left out. */
  sleep_after_minutes?: number;
  /** A push to the source makes a revision. */
  auto_deploy: boolean;
  /** Overrides the package manager that the lockfile implies. */
  package_manager?: PackagePlan["manager"];
}

export interface StoredDeployment {
  deployment_id: string;
  name: string;
  source: Source;
  settings: DeploymentSettings;
  /** The state that was requested last. */
  wanted: "running" | "stopped" | "deleted";
  /** The revision that serves, or would serve if the deployment ran. */
  live: number | null;
  created_at: string;
  updated_at: string;
}

export interface StoredRevision {
  deployment_id: string;
  number: number;
  state: RevisionState;
  trigger: RevisionTrigger;
  source: Source;
  commit: Commit | null;
  /** The revision whose files this one serves. */
  build_of: number | null;
  /** Set once the configuration has been read. */
  report: PreflightReport | null;
  /** The nodes and state keys to which checkpoints refer; set once the graphs have loaded. */
  shapes: GraphShapes | null;
  /** The inputs of the build; set once they are known. */
  inputs: RevisionInputs | null;
  steps: StepTimes[];
  problem: RevisionProblem | null;
  /** The number of claims. A write under an older token changes nothing. */
  token: number;
  /** The lease under which it was last claimed; null for a server that has its database for itself. */
  executor: string | null;
  /** Somebody cancels the build, which another server does. */
  cancelling: boolean;
  created_at: string;
  live_at: string | null;
  ended_at: string | null;
}

/** Fields that change with an event of a revision. */
export type RevisionChange = Partial<
  Pick<
    StoredRevision,
    "commit" | "build_of" | "report" | "shapes" | "inputs" | "steps" | "problem" | "live_at" | "ended_at"
  >
>;

export interface DeploymentChange
  extends Partial<Pick<StoredDeployment, "source" | "settings" | "wanted">>, SecretsChange {}

/**
 * Deployments in the platform's own database. Every change is one transaction.
 * Implemented in lib/drivers/sql/platform/deployments.ts.
 */
export interface DeploymentStore {
  /** Stores a deployment with its first revision. Returns false when the name is taken. */
  insert(deployment: StoredDeployment, first: NewRevision, secrets?: SecretsChange): Promise<boolean>;
  get(name: string): Promise<StoredDeployment | undefined>;
  byId(deploymentId: string): Promise<StoredDeployment | undefined>;
  list(): Promise<StoredDeployment[]>;
  /** Returns a text for each deployment, by its name, that is another one when the deployment or its newest revision has changed. */
  fingerprints(): Promise<ReadonlyMap<string, string>>;
  update(name: string, change: DeploymentChange, now: string): Promise<StoredDeployment | undefined>;
  /** Deletes a deployment and frees its name. */
  delete(name: string): Promise<void>;
}

export type NewRevision = Pick<StoredRevision, "trigger" | "source" | "build_of" | "created_at">;

/** Identifies a push when it is delivered again. */
export interface NewPush {
  delivery: string;
  sha: string;
  /** Deliveries from before this time are forgotten. */
  since: string;
}

/** A server that builds. */
export interface BuildClaimer {
  /** The lease under which it claims. */
  executor?: string;
  /** It claims only revisions that are served in place. */
  inPlace?: boolean;
}

/** Implemented in lib/drivers/sql/platform/revisions.ts. */
export interface RevisionStore {
  /**
   * Queues a revision with the deployment's next number, together with a change of the deployment. Revisions of it that
   * were queued become `skipped`. Undefined when the deployment is gone, or is being deleted.
   */
  queue(deploymentId: string, revision: NewRevision, change?: DeploymentChange): Promise<StoredRevision | undefined>;
  /**
   * Does the same as `queue`. Returns undefined also when this delivery has made a revision before, or when the newest
   * one is of the same commit and has not failed.
   */
  queuePush(deploymentId: string, revision: NewRevision, push: NewPush): Promise<StoredRevision | undefined>;
  get(deploymentId: string, number: number): Promise<StoredRevision | undefined>;
  /** Newest first. */
  list(deploymentId: string, page: { limit: number; before?: number }): Promise<StoredRevision[]>;
  /**
   * Claims the oldest queued revision whose deployment builds nothing, in one transaction, and increases its token.
   * Undefined when there is none.
   */
  claim(by?: BuildClaimer): Promise<StoredRevision | undefined>;
  /** Moves a revision from one state to another. Returns false when it is in another state, or the token is stale. */
  move(
    at: Pick<StoredRevision, "deployment_id" | "number" | "token">,
    from: RevisionState,
    to: RevisionState,
    change: RevisionChange,
  ): Promise<boolean>;
  /** Makes a revision live and the one before it `replaced`, in one transaction. Returns false as `move` does. */
  goLive(at: Pick<StoredRevision, "deployment_id" | "number" | "token">, change: RevisionChange): Promise<boolean>;
  /** Lets the server that builds a revision cancel it. Returns false when none does. */
  cancel(deploymentId: string, number: number): Promise<boolean>;
  /** Lists the revisions in any of these states, oldest first. */
  inState(states: readonly RevisionState[]): Promise<StoredRevision[]>;
  /** Counts the revisions that are queued before this one. */
  ahead(revision: Pick<StoredRevision, "deployment_id" | "number">): Promise<number>;
}
