/** Ports of the engine. Drivers implement them. */
import type { GraphDrawing, GraphSchemas, Subgraphs } from "../../protocol/assistants.ts";
import type { Incident, WorkerState } from "../../protocol/deployments.ts";
import type { CancelAction, Run, RunStatus } from "../../protocol/runs.ts";
import type { NewEvent, RunError, RunEvent } from "../../protocol/stream.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Loss } from "../../rules/runs/state.ts";
import type { LoadedGraph, RunOrder, StateQuestion, TypedGraphs } from "../../protocol/worker.ts";
import type { AssistantStore } from "./assistants.ts";
import type { FinishedRun, RunEnding, RunOutcome } from "./run-end.ts";
import type { RunSearchStore } from "./run-search.ts";
import type { PushPorts } from "./pushes.ts";
import type { TaskFeeds, TaskOfRun, TaskStore } from "./tasks.ts";
import type { CheckpointStore, NewThread, ThreadStore } from "./threads.ts";
import type { StoreItems } from "./store.ts";
import type { Outgoing, WebhookStore } from "./webhooks.ts";
import type { Calendar, CronStore, Firing } from "./crons.ts";
import type { ApiKey, SecretBox } from "./keys.ts";
import type { AppCode, ServedCode } from "./app-code.ts";
import type { DeploymentLifecycle } from "./deployment-lifecycle.ts";
import type { Lease } from "./lease.ts";
import type { Peers } from "./peers.ts";
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

/** A run as it is stored: the fields of the API, and those that the engine needs besides. */
export interface StoredRun extends Omit<Run, "attempts" | "error"> {
  graph_id: string;
  /** Fencing token: the number of claims. A write under an older one, or after the claim is lost, changes nothing. */
  token: number;
  /** How often the process that executed the run has crashed. */
  crashes: number;
  /** The lease under which the run was last claimed; null for a server that has its database for itself. */
  executor: string | null;
  /** Id of the newest event in the log, -1 before the first. */
  last_event: number;
  error?: RunError;
  /** The run and its events are kept after its end, until a request deletes them. */
  keep: boolean;
  /** The run is on a thread: it continues from the thread's state and changes it. */
  threaded: boolean;
  /** At its end the run is deleted, with its changes to the thread. */
  rollback: boolean;
  /** A request has cancelled the run. */
  cancelled: boolean;
  /** Position of its first event among all events of its thread; set by the first claim. */
  position?: number;
}

/** The state in which a run was read. A write to the run changes nothing when that state has changed. */
export type Claim = Pick<StoredRun, "run_id" | "token" | "status">;

/** A claimed run, and what its order says of the thread's newest checkpoint. */
export type ClaimedRun = StoredRun & Pick<RunOrder, "head">;

export type NewRun = Omit<
  StoredRun,
  | "status"
  | "token"
  | "crashes"
  | "executor"
  | "last_event"
  | "error"
  | "rollback"
  | "cancelled"
  | "position"
  | "started_at"
  | "ended_at"
  | "first_token_at"
>;

/** The result of storing a run on a thread. */
export type Enqueued = "stored" | "busy" | "missing" | "fired" | "answered";

/** Conditions for storing a run on a thread, and changes that are stored with it. */
export interface EnqueueOptions {
  /** The run is refused when runs of the thread have not ended. */
  alone: boolean;
  /** Merged into the thread's metadata. */
  metadata: JsonObject;
  /** Merged into the `configurable` of the thread's own configuration. */
  configurable?: JsonObject;
  /** The thread to create when it is missing. */
  create?: NewThread;
  /**
   * The firing that started the run, stored in one transaction with the cron's next time, however many servers try.
   * `fired` when another server did, or the cron was changed meanwhile. When the thread is busy, the firing is skipped.
   */
  firing?: Firing;
  /**
   * The interrupts that the run answers. `answered` when another run has answered one of them or passed it. Runs in
   * `seen`, and those that ended before `since` (ms since the epoch), do not count.
   */
  answers?: { ids: readonly string[]; seen: readonly string[]; since: number };
  /** The task of the run. `answered` when it is to be resumed and does not wait any more. */
  task?: TaskOfRun;
}

export interface ThreadRunsFilter {
  status?: RunStatus;
  limit: number;
  offset: number;
}

/**
 * The runs of a deployment. Only the event log claims them, appends to them and ends them (`RunEventStore`).
 * Implemented in lib/drivers/sql/runs.ts.
 */
export interface RunStore extends RunSearchStore<StoredRun> {
  insert(run: NewRun): Promise<void>;
  /**
   * Stores a run of a thread in one transaction with the thread's change: it becomes busy, and `metadata` and
   * `configurable` are merged. With `create`, a missing thread is created. `busy` when `alone` is set and other runs
   * have not ended.
   */
  enqueue(run: NewRun, options: EnqueueOptions): Promise<Enqueued>;
  get(runId: string): Promise<StoredRun | undefined>;
  /** Lists the runs of a thread, newest first. */
  listOf(threadId: string, filter: ThreadRunsFilter): Promise<StoredRun[]>;
  /** Lists the runs of a thread that have not ended, oldest first. */
  inFlight(threadId: string): Promise<StoredRun[]>;
  /**
   * Marks a run as cancelled, also for the case that its process is lost. `rollback` also deletes it at its end.
   * Returns false when it has ended.
   */
  markCancelled(runId: string, action: CancelAction): Promise<boolean>;
  /** Lists the executors of the runs under way. */
  executors(): Promise<StoredRun["executor"][]>;
  /** Lists the ids of an executor's runs under way that a request has cancelled. */
  cancelledOf(executor: string): Promise<string[]>;
  /** Deletes a run that has ended, with its events. Returns false when it has not ended, or there is none. */
  delete(runId: string): Promise<boolean>;
  /** Returns when the first pending run falls due after `now`, in ms since the epoch. */
  nextDue(now: number): Promise<number | undefined>;
  /** Lists the runs of a thread that have begun, from this position on, in their order. */
  begun(threadId: string, position: number, limit: number): Promise<StoredRun[]>;
  /** Lists the runs in any of these states, oldest first. */
  list(statuses: readonly RunStatus[]): Promise<StoredRun[]>;
  /**
   * Deletes runs that are not kept and ended before `endedBefore`, or failed before `failedBefore`. Of a run on a
   * thread, only its events are deleted.
   */
  sweep(endedBefore: number, failedBefore: number): Promise<number>;
  counts(since: number): Promise<RunCounts>;
  /** Counts the runs that are due at `now` and those under way. `oldest`: when the first of the due ones fell due, in ms. */
  queue(now: number): Promise<{ pending: number; running: number; oldest: number | undefined }>;
  incidents(limit: number): Promise<Incident[]>;
}

export interface RunCounts {
  pending: number;
  running: number;
  /** Runs that ended since the given time. */
  success: number;
  error: number;
  interrupted: number;
}

/**
 * Connects the code that executes runs with the code that reads them. Events of a resumable run (`hasStoredEvents`) are
 * stored before readers get them; others are kept in memory while a reader holds the run, and a while longer.
 * Implemented in lib/drivers/log/local.ts, and for servers that share a database in lib/drivers/log/shared.ts.
 */
export interface EventLog {
  /** Makes a run live, with `last` as its newest event: followers wait for events instead of ending. */
  open(run: Pick<StoredRun, "run_id" | "kwargs">, last: number): void;
  /** Prepares for a reader who follows a run from its first event on as soon as it is stored. Resolves when it may be stored. */
  expectReader(runId: string): Promise<void> | undefined;
  /** Ends a run's log without an event, because the run was not stored or has been deleted. Its followers end. */
  drop(runId: string): void;
  /** Claims pending runs that are due, and appends the event that `begin` returns to the log of each. */
  claim(limit: number, begin: (run: StoredRun) => NewEvent): Promise<ClaimedRun[]>;
  /** Returns false when the token is stale; the caller then stops working on the run. */
  append(runId: string, token: number, events: readonly NewEvent[]): Promise<boolean>;
  /** Ends a run. Returns undefined when it has ended, or was claimed or lost since it was read. */
  finish(claim: Claim, outcome: RunOutcome, events: readonly NewEvent[]): Promise<FinishedRun | undefined>;
  /** Makes a run pending again whose executor is gone. False when the claim is lost already, or a request has cancelled it. */
  requeue(claim: Claim, loss: Loss): Promise<boolean>;
  read(runId: string, after: number): Promise<readonly RunEvent[]>;
  /** Returns whether a run has not ended. */
  isLive(runId: string): boolean | Promise<boolean>;
  /** Returns the id of the newest event of a run that is live, or was lately. */
  newest(runId: string): number | undefined;
  /** Keeps events that are only in memory until the returned function is called. */
  hold(runId: string): () => void;
  /** Resolves when the log of a live run holds an event above `after`, when the run is over, or when aborted. */
  changed(runId: string, after: number, signal?: AbortSignal): Promise<void>;
  /** `begun` resolves when a run of this thread may have begun since the watch opened or last resolved, or on abort. */
  watch(threadId: string): { begun(signal?: AbortSignal): Promise<void>; close(): void };
  /**
   * Calls back when any run begins or ends, also one without a thread, on `notifyThreads`, and now and then when another server
   * may have done so. Returns a function that stops it.
   */
  onThreadChange(listener: () => void): () => void;
  /** Notifies the listeners of threads of a change that is not a run's. */
  notifyThreads(): void;
  /** Closes the log of this process. Calls of `changed` and `begun`, now or later, reject with an `AbortError`. */
  close(): void;
}

/** The process that runs a deployment's code. Implemented in lib/drivers/workers/replaceable-worker.ts. */
export interface Worker extends AppCode {
  state(): WorkerState;
  /** Returns how each graph loaded; empty before the worker was first ready. Every start returns another array. */
  graphs(): readonly LoadedGraph[];
  /**
   * Executes a run. `sink` gets its events in order, in batches, except those that come with the end. Never rejects: a
   * crash or a missing worker is an outcome.
   */
  run(order: RunOrder, sink: (events: readonly NewEvent[]) => Promise<unknown>): Promise<RunEnding>;
  /**
   * Aborts a run, which ends as interrupted even if its process is lost. False when it does not execute here, under this token if
   * one is given.
   */
  cancel(runId: string, token?: number): boolean;
  /** Reads or changes the state of a thread through its graph. Faults: `invalid` with the graph's refusal. */
  threadState(question: StateQuestion): Promise<unknown>;
  drawing(graph: string, xray: boolean | number): Promise<GraphDrawing>;
  schemas(graph: string, typed?: TypedGraphs): Promise<GraphSchemas>;
  subgraphs(graph: string, namespace: string | undefined, recurse: boolean): Promise<Subgraphs>;
  /** Returns the vectors of texts, in order, by `store.index.embed` of the configuration. Faults: `unavailable`. */
  embed(by: string, of: "items" | "query", texts: readonly string[]): Promise<number[][]>;
  /** Calls back on every change of `state()` or `graphs()`. Returns a function that stops it. */
  onChange(listener: () => void): () => void;
  /** Returns recent crashes and failed loads, newest last. */
  incidents(): readonly Incident[];
  stop(graceMs: number): Promise<void>;
}

export interface DeploymentStores extends Pick<PushPorts, "pushConfigs" | "notifications"> {
  readonly assistants: AssistantStore;
  readonly runs: RunStore;
  readonly tasks: TaskStore;
  readonly threads: ThreadStore;
  readonly checkpoints: CheckpointStore;
  readonly items: StoreItems;
  readonly crons: CronStore;
  readonly webhooks: WebhookStore;
}

/** An open deployment, whether its code serves or not. */
export interface Deployment extends DeploymentStores, PushPorts, ServedCode {
  readonly name: string;
  readonly lifecycle: DeploymentLifecycle;
  /** Id of each graph's system assistant, by the graph's name. */
  readonly systemAssistants: ReadonlyMap<string, string>;
  readonly taskFeeds: TaskFeeds;
  readonly outgoing: Outgoing;
  readonly log: EventLog;
  readonly worker: Worker;
  /** Undefined for a server that has its database for itself. */
  readonly lease: Lease | undefined;
  readonly peers: Peers;
  readonly identityCache: IdentityCache;
  /** The key by which the deployment's own code calls the API. */
  readonly pass: Pick<ApiKey, "matches">;
  /** Wakes the dispatcher, now or at a time (ms since the epoch). */
  wake(due?: number): void;
  /** Wakes the cron loop at a time (ms since the epoch). */
  cronDue(due: number): void;
  /** Wakes the webhook loop. */
  webhookDue(): void;
}

export interface Platform {
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly newId: NewId;
  /** Computes SHA-1. */
  readonly sha1: (bytes: Uint8Array) => Uint8Array;
  readonly logger: Logger;
  readonly box: SecretBox;
  /** Version of this package. */
  readonly version: string;
  find(name: string): Deployment | undefined;
  list(): readonly Deployment[];
  /** Calls back when the state of any deployment changed. Returns a function that stops it. */
  onChange(listener: () => void): () => void;
}
