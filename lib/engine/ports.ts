/** What the engine needs of the world. Drivers make these real; nothing here knows how. */
import type { Assistant, AssistantSearch, GraphDrawing, GraphSchemas } from "../protocol/assistants.ts";
import type { AppConfig } from "../protocol/config.ts";
import type { Incident, WorkerState } from "../protocol/deployments.ts";
import type { Run, RunStatus } from "../protocol/runs.ts";
import type { NewEvent, RunEnd, RunError, RunEvent } from "../protocol/stream.ts";
import type { LoadedGraph, RunOrder } from "../protocol/worker.ts";
import type { StoredTask } from "../protocol/tasks.ts";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** New time-ordered UUIDs (version 7). */
export type NewId = () => string;

/** A secret that callers show. What it is never leaves the driver. */
export interface ApiKey {
  matches(given: string): boolean;
  /** Proves knowledge of the key without holding it: what the console's cookie carries. Another key, another session. */
  readonly session: string;
  isSession(given: string): boolean;
}

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
}

export type NewRun = Omit<StoredRun, "status" | "token" | "last_event" | "error">;

export interface RunOutcome {
  status: RunEnd["status"];
  error?: RunError;
}

/** How a run ended in the worker, with the events that came in the same breath: they are stored together. */
export interface RunEnding extends RunOutcome {
  events: readonly NewEvent[];
}

/** Runs and the events they told, in one place, because they change together. */
export interface RunStore {
  insert(run: NewRun): Promise<void>;
  get(runId: string): Promise<StoredRun | undefined>;
  /**
   * Takes up to `limit` pending runs that are due, oldest first, in one statement: no run goes to two claimers. With
   * the claim comes the event that `begin` makes, so the run returned has it as its `last_event`; it is stored if the
   * run's events are.
   */
  claim(limit: number, now: number, begin: (run: StoredRun) => NewEvent): Promise<StoredRun[]>;
  /** Time (ms since the epoch) of the first pending run that falls due after `now`. */
  nextDue(now: number): Promise<number | undefined>;
  /** Appends under a fencing token. Returns the id of the first event, or undefined when the token is stale. */
  append(runId: string, token: number, events: readonly NewEvent[]): Promise<number | undefined>;
  /** Stores events of a run whose events are otherwise not stored; their ids go on from `first`. */
  store(runId: string, first: number, events: readonly NewEvent[]): Promise<void>;
  /** Appends and ends the run in the same transaction. */
  finish(
    runId: string,
    token: number,
    outcome: RunOutcome,
    events: readonly NewEvent[],
    now: number,
  ): Promise<number | undefined>;
  /** Events with an id above `after`, in order, about `limit` of them; empty at the end of what is stored. */
  read(runId: string, after: number, limit: number): Promise<RunEvent[]>;
  /** Runs in one of these states, oldest first. */
  list(statuses: readonly RunStatus[]): Promise<StoredRun[]>;
  /** Deletes what is not kept: finished before `endedBefore`; failures stay until `failedBefore`. */
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
  /** Inserts if no assistant has this id. */
  ensure(assistant: Assistant): Promise<void>;
  get(assistantId: string): Promise<Assistant | undefined>;
  search(search: AssistantSearch): Promise<{ assistants: Assistant[]; total: number }>;
}

export interface TaskStore {
  insert(task: StoredTask): Promise<void>;
  get(taskId: string): Promise<StoredTask | undefined>;
}

/**
 * The one meeting point of those who run and those who watch. Events of a run that can be taken up again
 * (`hasStoredEvents`) are stored before they are shown; others are kept while somebody reads, and a while longer.
 */
export interface EventLog {
  /** From here on the run, whose newest event is `last`, is live: followers wait for events rather than end. */
  open(run: Pick<StoredRun, "run_id" | "keep" | "kwargs">, last: number): void;
  /** The run was not stored after all. */
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
}

/** The process that holds one deployment's code. */
export interface Worker {
  state(): WorkerState;
  /** How loading went, one entry a graph; empty until the worker was ready once, and another array after every start. */
  graphs(): readonly LoadedGraph[];
  /**
   * Executes a run. `sink` gets its events in order, in batches, all but those that come with the end. Never rejects:
   * a crash is an outcome, and so is a worker that is not there.
   */
  run(order: RunOrder, sink: (events: readonly NewEvent[]) => Promise<unknown>): Promise<RunEnding>;
  /** Aborts a run; false when it is not executing in this process. */
  cancel(runId: string): boolean;
  drawing(graph: string, xray: boolean | number): Promise<GraphDrawing>;
  schemas(graph: string): Promise<GraphSchemas>;
  /** Calls back on every change of `state()` or `graphs()`; returns how to stop that. */
  onChange(listener: () => void): () => void;
  /** Crashes and failed loads, newest last, a bounded number of them. */
  incidents(): readonly Incident[];
  stop(graceMs: number): Promise<void>;
}

export interface LogLine {
  at: string;
  from: "out" | "err" | "host";
  text: string;
}

/** A deployment that is being served. */
export interface Deployment {
  readonly name: string;
  /** In words, for people: what is served. */
  readonly source: string;
  /** Undefined with `problem` saying why, when the configuration could not be read. */
  readonly config: AppConfig | undefined;
  readonly problem: string | undefined;
  /** Id of each graph's own assistant, by the graph's name. */
  readonly systemAssistants: ReadonlyMap<string, string>;
  readonly assistants: AssistantStore;
  readonly runs: RunStore;
  readonly tasks: TaskStore;
  readonly log: EventLog;
  readonly worker: Worker;
  /** Says that there may be runs to claim, now or at a time (ms since the epoch). */
  wake(due?: number): void;
}

export interface Platform {
  readonly clock: Clock;
  readonly newId: NewId;
  /** SHA-1 of bytes. */
  readonly sha1: (bytes: Uint8Array) => Uint8Array;
  readonly logger: Logger;
  /** Version of this package. */
  readonly version: string;
  find(name: string): Deployment | undefined;
  list(): readonly Deployment[];
  /** Calls back when the state of any deployment changed; returns how to stop that. */
  onChange(listener: () => void): () => void;
}
