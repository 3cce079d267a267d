/** What the engine needs of the world. Drivers make these real; nothing here knows how. */
import type * as assistants from "../../protocol/assistants.ts";
import type { Incident, WorkerState } from "../../protocol/deployments.ts";
import type { CancelAction, Run, RunStatus } from "../../protocol/runs.ts";
import type { NewEvent, RunEnd, RunError, RunEvent } from "../../protocol/stream.ts";
import type { ThreadEnd } from "../../protocol/threads.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { LoadedGraph, RunOrder, StateQuestion } from "../../protocol/worker.ts";
import type { Visibility } from "../../rules/visibility.ts";
import type { PushPorts } from "./pushes.ts";
import type { TaskFeeds, TaskOfRun, TaskStore } from "./tasks.ts";
import type { CheckpointStore, NewThread, ThreadStore } from "./threads.ts";
import type { StoreItems } from "./store.ts";
import type { NewWebhook, Outgoing, WebhookStore } from "./webhooks.ts";
import type { Calendar, CronStore, Firing } from "./crons.ts";
import type { ApiKey, SecretBox } from "./keys.ts";
import type { AppCode, ServedCode } from "./app-code.ts";
import type { DeploymentLifecycle } from "./deployment-lifecycle.ts";
import type { IdentityCache } from "../identity-cache.ts";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** New time-ordered UUIDs (version 7). */
export type NewId = () => string;

export interface Logger {
  warn(message: string, cause?: unknown): void;
  error(message: string, cause?: unknown): void;
}

/** A run as it is stored: what the API shows, and what the engine needs beside it. */
export interface StoredRun extends Run {
  graph_id: string;
  /** Counts the claims of this run; a write that carries an older one changes nothing. */
  token: number;
  /** Id of the newest event in the log, -1 before the first. */
  last_event: number;
  error?: RunError;
  /** Kept after its end, with its events, until somebody deletes it. */
  keep: boolean;
  /** Its `thread_id` is a thread, whose state it goes on from and changes. */
  threaded: boolean;
  /** To be deleted at its end, with all it did to its thread. */
  rollback: boolean;
  /** It was asked to end. */
  cancelled: boolean;
  /** Of its first event among all events of its thread; set by the first claim. */
  position?: number;
}

export type NewRun = Omit<
  StoredRun,
  "status" | "token" | "last_event" | "error" | "rollback" | "cancelled" | "position"
>;

/** What became of a run that was to be stored on a thread. */
export type Enqueued = "stored" | "busy" | "missing" | "fired" | "answered";

/** How a run is stored on a thread, and what changes with it. */
export interface EnqueueOptions {
  /** Refused when runs of the thread have not ended. */
  alone: boolean;
  /** Goes over the thread's own. */
  metadata: JsonObject;
  /** Goes over the `configurable` of the thread's own configuration. */
  configurable?: JsonObject;
  /** Makes the thread when it is missing. */
  create?: NewThread;
  /**
   * What the run is the firing of: stored in one transaction with the cron's next time, however many servers try.
   * `fired` when that has been done, or the cron was changed meanwhile; a thread that is busy lets the firing pass.
   */
  firing?: Firing;
  /**
   * The interrupts that the run answers. `answered` when a run that is not among the `seen`, and has not ended before
   * `since` (ms since the epoch), has answered one of them or left it behind.
   */
  answers?: { ids: readonly string[]; seen: readonly string[]; since: number };
  /** `answered` when the task that it resumes does not wait any more. */
  task?: TaskOfRun;
}

export interface RunFilter {
  status?: RunStatus;
  limit: number;
  offset: number;
}

export interface RunOutcome {
  status: RunEnd["status"];
  error?: RunError;
  /** Of a threaded run, as far as it could be read. */
  thread?: ThreadEnd;
  /** Its thread was made for it, and goes with it unless other runs wait there. */
  discard?: boolean;
  /** JSON text of the last values of a run without a thread, where its webhook needs them. */
  values?: string;
  /** To be delivered once the end is stored. */
  webhook?: NewWebhook;
}

/** How a run ended in the worker, with the events that came in the same breath: they are stored together. */
export interface RunEnding extends RunOutcome {
  events: readonly NewEvent[];
  /** The process that executed it is gone: nothing is known of how far it came. */
  lost?: true;
}

/** The runs of a deployment. Only the event log claims them, appends to them and ends them (`RunEventStore`). */
export interface RunStore {
  insert(run: NewRun): Promise<void>;
  /**
   * Stores a run of a thread in one transaction with the thread's change: it is busy now, and has `metadata` and
   * `configurable` over its own. A thread that is missing is made when `create` says so. `busy` when `alone` and other runs have not ended.
   */
  enqueue(run: NewRun, options: EnqueueOptions): Promise<Enqueued>;
  get(runId: string): Promise<StoredRun | undefined>;
  /** Runs of a thread, newest first. */
  listOf(threadId: string, filter: RunFilter): Promise<StoredRun[]>;
  /** Runs of a thread that have not ended, oldest first. */
  inFlight(threadId: string): Promise<StoredRun[]>;
  /**
   * Says that a run is to end, also where it would go on after its process is lost; to `rollback`: that it is to vanish
   * then. False when it has ended.
   */
  markCancelled(runId: string, action: CancelAction): Promise<boolean>;
  /** Back to pending: its executor is gone. False when the token is stale, or the run is to vanish. */
  requeue(runId: string, token: number): Promise<boolean>;
  /** Deletes a run that has ended, with its events; false when it has not, or there is none. */
  delete(runId: string): Promise<boolean>;
  /** Time (ms since the epoch) of the first pending run that falls due after `now`. */
  nextDue(now: number): Promise<number | undefined>;
  /** Runs of a thread that have begun, from the one at this position on, in their order. */
  begun(threadId: string, position: number, limit: number): Promise<StoredRun[]>;
  /** Runs in one of these states, oldest first. */
  list(statuses: readonly RunStatus[]): Promise<StoredRun[]>;
  /** Deletes what is not kept: finished before `endedBefore`; failures stay until `failedBefore`. Of a thread's run, its events. */
  sweep(endedBefore: number, failedBefore: number): Promise<number>;
  counts(since: number): Promise<RunCounts>;
  incidents(limit: number): Promise<Incident[]>;
}

export interface RunCounts {
  pending: number;
  running: number;
  /** Ended since the given time. */
  success: number;
  error: number;
  interrupted: number;
}

export interface AssistantStore {
  /** Inserts, with a first version, if no assistant has this id; returns whether it did. */
  ensure(assistant: assistants.Assistant): Promise<boolean>;
  get(assistantId: string): Promise<assistants.Assistant | undefined>;
  search(
    search: assistants.AssistantSearch,
    visible?: Visibility,
  ): Promise<{ assistants: assistants.Assistant[]; total: number }>;
  count(filter: assistants.AssistantFilter, visible?: Visibility): Promise<number>;
  /** Stores what `change` makes of it, under a number no version of it ever had; no change gets lost. */
  update(assistantId: string, change: assistants.AssistantChange): Promise<assistants.Assistant | undefined>;
  versions(assistantId: string, search: assistants.VersionSearch): Promise<assistants.AssistantVersion[]>;
  /** Makes it what it was in one of its versions; undefined when there is no such version. */
  setLatest(assistantId: string, version: number, now: string): Promise<assistants.Assistant | undefined>;
  /** With its versions and its runs that have ended; false when there is none. */
  delete(assistantId: string): Promise<boolean>;
}

/**
 * The one meeting point of those who run and those who watch. Events of a run that can be taken up again
 * (`hasStoredEvents`) are stored before they are shown; others are kept while somebody reads, and a while longer.
 */
export interface EventLog {
  /** From here on the run, whose newest event is `last`, is live: followers wait for events rather than end. */
  open(run: Pick<StoredRun, "run_id" | "kwargs">, last: number): void;
  /** The run was not stored after all, or has been deleted: who follows it has heard all there is. */
  drop(runId: string): void;
  /** Takes pending runs that are due; the log of each goes on with the event that `begin` makes. */
  claim(limit: number, begin: (run: StoredRun) => NewEvent): Promise<StoredRun[]>;
  /** False when the token is stale: stop working on this run. */
  append(runId: string, token: number, events: readonly NewEvent[]): Promise<boolean>;
  finish(runId: string, token: number, outcome: RunOutcome, events: readonly NewEvent[]): Promise<boolean>;
  read(runId: string, after: number): Promise<readonly RunEvent[]>;
  isLive(runId: string): boolean;
  /** Id of the newest event of a run that is live, or was lately. */
  newest(runId: string): number | undefined;
  /** Somebody reads this run: what is kept only in memory stays until the returned function is called. */
  hold(runId: string): () => void;
  /** Resolves when the log of a live run holds an event above `after`, when the run is over, or when aborted. */
  changed(runId: string, after: number, signal?: AbortSignal): Promise<void>;
  /** `begun` resolves when a run of this thread has begun since the watch was opened or it last resolved, or on abort. */
  watch(threadId: string): { begun(signal?: AbortSignal): Promise<void>; close(): void };
  /** Calls back whenever a run of any thread has begun or ended, or `tellThreads` says so; returns how to stop that. */
  onThreadChange(listener: () => void): () => void;
  /** Something that is shown of threads has changed without a run. */
  notifyThreads(): void;
  /** This process leaves its runs. Whoever waits in `changed` or `begun`, now or later, gets an `AbortError`. */
  close(): void;
}

/** The process that holds one deployment's code. */
export interface Worker extends AppCode {
  state(): WorkerState;
  /** How loading went, one entry a graph; empty until the worker was ready once, and another array after every start. */
  graphs(): readonly LoadedGraph[];
  /**
   * Executes a run. `sink` gets its events in order, in batches, all but those that come with the end. Never rejects:
   * a crash is an outcome, and so is a worker that is not there.
   */
  run(order: RunOrder, sink: (events: readonly NewEvent[]) => Promise<unknown>): Promise<RunEnding>;
  /** Aborts a run, which ends as interrupted whatever becomes of its process; false when it does not execute here. */
  cancel(runId: string): boolean;
  /** Looks at or changes the state of a thread through its graph. Faults: `invalid` with what the graph refused. */
  threadState(question: StateQuestion): Promise<unknown>;
  drawing(graph: string, xray: boolean | number): Promise<assistants.GraphDrawing>;
  schemas(graph: string, options?: { quick: boolean }): Promise<assistants.GraphSchemas>;
  subgraphs(graph: string, namespace: string | undefined, recurse: boolean): Promise<assistants.Subgraphs>;
  /** Vectors of texts, in their order, by `store.index.embed` of the configuration. Faults: `unavailable`. */
  embed(by: string, of: "items" | "query", texts: readonly string[]): Promise<number[][]>;
  /** Calls back on every change of `state()` or `graphs()`; returns how to stop that. */
  onChange(listener: () => void): () => void;
  /** Crashes and failed loads, newest last, a bounded number of them. */
  incidents(): readonly Incident[];
  stop(graceMs: number): Promise<void>;
}

/** A deployment that can be found, whether its code serves or not. */
export interface Deployment extends PushPorts, ServedCode {
  readonly name: string;
  readonly lifecycle: DeploymentLifecycle;
  /** Id of each graph's own assistant, by the graph's name. */
  readonly systemAssistants: ReadonlyMap<string, string>;
  readonly assistants: AssistantStore;
  readonly runs: RunStore;
  readonly tasks: TaskStore;
  readonly taskFeeds: TaskFeeds;
  readonly threads: ThreadStore;
  readonly checkpoints: CheckpointStore;
  readonly items: StoreItems;
  readonly crons: CronStore;
  readonly webhooks: WebhookStore;
  readonly outgoing: Outgoing;
  readonly log: EventLog;
  readonly worker: Worker;
  readonly identityCache: IdentityCache;
  /** What the deployment's own code shows to be let in. */
  readonly pass: Pick<ApiKey, "matches">;
  /** Says that there may be runs to claim, now or at a time (ms since the epoch). */
  wake(due?: number): void;
  /** Says that a cron fires at a time (ms since the epoch). */
  cronDue(due: number): void;
  /** Says that there may be webhooks to deliver. */
  webhookDue(): void;
}

export interface Platform {
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly newId: NewId;
  /** SHA-1 of bytes. */
  readonly sha1: (bytes: Uint8Array) => Uint8Array;
  readonly logger: Logger;
  readonly box: SecretBox;
  /** Version of this package. */
  readonly version: string;
  find(name: string): Deployment | undefined;
  list(): readonly Deployment[];
  /** Calls back when the state of any deployment changed; returns how to stop that. */
  onChange(listener: () => void): () => void;
}
