/** Ports of deployments, their revisions and what building one needs. */
import type { AppConfig, GraphEntry } from "../../protocol/config.ts";
import type { PackagePlan, PreflightReport } from "../../protocol/preflight.ts";
import type {
  LogLine,
  NewLine,
  RevisionProblem,
  RevisionState,
  RevisionTrigger,
  StepTimes,
} from "../../protocol/revisions.ts";
import type { Commit, Credentials, Source, Upload } from "../../protocol/sources.ts";
import type { GraphShapes } from "../../rules/graphs/shape.ts";
import type { RevisionInputs } from "../../rules/revisions/changes.ts";
import type { SecretsChange } from "./variables.ts";

/** What a step says while it goes on. */
export type WriteLine = (line: Omit<NewLine, "step">) => void;

/**
 * Thrown by a step of a build that can't be done: `message` says what is wrong, `fix` what to do. Anything else that is
 * thrown is the platform's own fault.
 */
export class StepFailure extends Error {
  override readonly name = "StepFailure";
  readonly details: Omit<RevisionProblem, "step" | "message">;

  constructor(message: string, details: Omit<RevisionProblem, "step" | "message"> = {}, cause?: unknown) {
    super(message, { cause });
    this.details = details;
  }
}

/** By name as well as by class: a bundler may hold two copies of this module. */
export function isStepFailure(thrown: unknown): thrown is StepFailure {
  return (
    thrown instanceof StepFailure || (thrown instanceof Error && thrown.name === "StepFailure" && "details" in thrown)
  );
}

export interface StepContext {
  /** Aborted when the build is cancelled or the step's time is over; nothing the step started outlives it. */
  signal: AbortSignal;
  writeLine: WriteLine;
}

/** A source that was fetched. */
export interface FetchedSource {
  /** Absolute path of the application's folder: the source's folder, or the one inside it that was asked for. */
  folder: string;
  /** Absolute path of the source's root, where a lockfile may lie. */
  root: string;
  commit?: Commit;
  /** The source as repository, ref and folder, where its address was that of a page. */
  source?: Source;
}

/** Brings sources to this machine. */
export interface Sources {
  /** Puts the source at `into`, a folder that is not there yet. Throws `StepFailure`. */
  fetch(
    source: Source,
    credentials: Credentials | undefined,
    into: string,
    context: StepContext,
  ): Promise<FetchedSource>;
  /** As `fetch`, into a folder that is kept a while for looking at it; later calls bring it up to date. */
  fetchCached(source: Source, credentials: Credentials | undefined, context: StepContext): Promise<FetchedSource>;
  readonly uploads: Uploads;
  /**
   * Removes what is left over: of an earlier process, caches that nobody uses, and uploads of more than a day ago. `inUse`
   * names the uploads that a deployment still needs. To be called at the start and now and then.
   */
  sweep(inUse: ReadonlySet<string>): Promise<void>;
}

/** Archives that are sent here before anything is made of them. */
export interface Uploads {
  /** Stores one as it comes. Throws `StepFailure` when it is too large, and the signal's reason. */
  receive(body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Upload>;
}

/** Looks at fetched files without running anything of them. `variables`: names that will have a value. */
export type Preflight = (
  fetched: FetchedSource,
  variables: readonly string[],
  signal: AbortSignal,
) => Promise<PreflightReport>;

export interface InstallOptions {
  packages: PackagePlan;
  /** Major version of Node.js. */
  node: string;
  /** Let packages run their install scripts. */
  scripts: boolean;
  /** Values that the project's own .npmrc may name, as `${NPM_TOKEN}`; nothing else gets them. */
  variables?: Readonly<Record<string, string>>;
}

/** Installs an application's packages, or links those of an earlier build with the same lockfile. */
export type Install = (
  fetched: FetchedSource,
  options: InstallOptions,
  context: StepContext,
) => Promise<{ /** Nothing was downloaded. */ reused: boolean; /** Names the set of packages. */ key: string }>;

/** Compiles what the graphs import, so that a worker only has to load it. Throws `StepFailure`. */
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

/** What a build needs of the world. */
export interface BuildTools {
  readonly sources: Sources;
  readonly preflight: Preflight;
  /** What the configuration in this folder says; of a source that was fetched to `root`. Throws `StepFailure`. */
  config(files: { folder: string; root?: string }): Promise<AppConfig>;
  readonly install: Install;
  readonly compile: Compile;
  /** A folder for a revision's files, which is not there yet. */
  newFolder(deployment: string, revision: number): Promise<string>;
  /** The files of a revision that was built. Throws `StepFailure` when they are gone. */
  filesOf(deployment: string, revision: number, source: Source): Promise<FetchedSource>;
  /** Removes a revision's files. */
  remove(deployment: string, revision: number): Promise<void>;
  /** Removes all that lies here of a deployment, its uploads too. */
  removeAll(deployment: string): Promise<void>;
  /** Removes what is left over and what nobody has used for long; `inUse` names the uploads that are needed. */
  sweep(inUse: ReadonlySet<string>): Promise<void>;
}

/** How a deployment's code is built and run. */
export interface DeploymentSettings {
  /** Let packages run scripts while they are installed. */
  install_scripts: boolean;
  /** What the code may do beyond reading its own files. */
  child_processes: boolean;
  addons: boolean;
  memory_mb: number;
  /** Of files in the one folder that its processes write to. */
  scratch_mb: number;
  /** Of what the code has printed; the oldest lines go. */
  log_mb: number;
  /** Minutes without a request after which its process ends, until the next one; never when left out. */
  sleep_after_minutes?: number;
  /** A push to the source makes a revision. */
  auto_deploy: boolean;
  /** In place of what is learnt from the lockfile. */
  package_manager?: PackagePlan["manager"];
}

export interface StoredDeployment {
  deployment_id: string;
  name: string;
  source: Source;
  settings: DeploymentSettings;
  /** What was asked for last. */
  wanted: "running" | "stopped" | "deleted";
  /** The revision that serves, or would. */
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
  /** The revision whose files it serves. */
  build_of: number | null;
  /** Set once it has been read. */
  report: PreflightReport | null;
  /** What checkpoints of its graphs refer to; set once they have been loaded. */
  shapes: GraphShapes | null;
  /** What it was made with; set once that is known. */
  inputs: RevisionInputs | null;
  steps: StepTimes[];
  problem: RevisionProblem | null;
  /** Counts the claims; a write that carries an older one changes nothing. */
  token: number;
  created_at: string;
  live_at: string | null;
  ended_at: string | null;
}

/** What changes with an event of a revision's life. */
export type RevisionChange = Partial<
  Pick<
    StoredRevision,
    "commit" | "build_of" | "report" | "shapes" | "inputs" | "steps" | "problem" | "live_at" | "ended_at"
  >
>;

export interface DeploymentChange
  extends Partial<Pick<StoredDeployment, "source" | "settings" | "wanted">>, SecretsChange {}

/** Deployments and their revisions, in the platform's own database. Every change is one transaction. */
export interface DeploymentStore {
  /** Stores a deployment with its first revision. False when the name is taken. */
  insert(deployment: StoredDeployment, first: NewRevision, secrets?: SecretsChange): Promise<boolean>;
  get(name: string): Promise<StoredDeployment | undefined>;
  byId(deploymentId: string): Promise<StoredDeployment | undefined>;
  list(): Promise<StoredDeployment[]>;
  update(name: string, change: DeploymentChange, now: string): Promise<StoredDeployment | undefined>;
  /** Frees the name. */
  delete(name: string): Promise<void>;
}

export type NewRevision = Pick<StoredRevision, "trigger" | "source" | "build_of" | "created_at">;

/** What makes a push known when it comes again. */
export interface NewPush {
  delivery: string;
  sha: string;
  /** Deliveries from before are forgotten. */
  since: string;
}

export interface RevisionStore {
  /**
   * Queues a revision with the deployment's next number, together with a change of the deployment; revisions of it that
   * still waited are `skipped`. Undefined when the deployment is gone, or is being deleted.
   */
  queue(deploymentId: string, revision: NewRevision, change?: DeploymentChange): Promise<StoredRevision | undefined>;
  /**
   * As `queue`; undefined when this delivery has made a revision before, or the newest one is of the same commit and has
   * not failed.
   */
  queuePush(deploymentId: string, revision: NewRevision, push: NewPush): Promise<StoredRevision | undefined>;
  get(deploymentId: string, number: number): Promise<StoredRevision | undefined>;
  /** Newest first. */
  list(deploymentId: string, page: { limit: number; before?: number }): Promise<StoredRevision[]>;
  /**
   * Takes the oldest revision that waits and whose deployment builds nothing, in one statement, and gives it its next
   * token. Undefined when there is none.
   */
  claim(): Promise<StoredRevision | undefined>;
  /** Moves it from one state to another with what changes. False when it is elsewhere by now, or the token is stale. */
  move(
    at: Pick<StoredRevision, "deployment_id" | "number" | "token">,
    from: RevisionState,
    to: RevisionState,
    change: RevisionChange,
  ): Promise<boolean>;
  /** Makes it live and the one before it `replaced`, in one transaction. False as `move`. */
  goLive(at: Pick<StoredRevision, "deployment_id" | "number" | "token">, change: RevisionChange): Promise<boolean>;
  /** All that are in one of these states, oldest first. */
  inState(states: readonly RevisionState[]): Promise<StoredRevision[]>;
  /** How many wait before this one. */
  ahead(revision: Pick<StoredRevision, "deployment_id" | "number">): Promise<number>;
}

/** Numbered lines of something that is being built, or serves: append-only, read from any number, followed live. */
export interface LineLog {
  /**
   * Lines get their numbers in the order of the calls; they are stored soon, many at a time. The oldest ones of a log that
   * takes more than `maxBytes` are deleted; 16 MB when left out.
   */
  append(log: string, lines: readonly NewLine[], maxBytes?: number): void;
  /** Resolves when all that was appended is stored. */
  flush(): Promise<void>;
  /** Lines with an id above `after`, at most `limit`, in order. */
  read(log: string, after: number, limit: number): Promise<LogLine[]>;
  /** The last `limit` lines, in order. */
  tail(log: string, limit: number): Promise<LogLine[]>;
  /** Resolves when there is a line above `after`, or when aborted. */
  changed(log: string, after: number, signal: AbortSignal): Promise<void>;
  delete(log: string): Promise<void>;
  /**
   * Deletes lines that were written before a time (ms since the epoch), and of every log all but about the newest
   * `most`. Numbers stay as they are.
   */
  sweep(limits: { writtenBefore: number; most: number }): Promise<void>;
}
