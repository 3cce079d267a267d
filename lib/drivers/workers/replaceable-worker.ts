import type { Worker } from "../../engine/ports/ports.ts";
import type { Guards } from "../../protocol/auth.ts";
import type { Incident, WorkerState } from "../../protocol/deployments.ts";
import { Fault } from "../../protocol/faults.ts";
import type { Home } from "../../protocol/worker.ts";
import { createEmitter } from "../../rules/emitter.ts";

/** A worker whose process can be restarted. */
export interface WorkerProcess extends Worker {
  setHome(home: Home): void;
  /** Ends the process at once, with its runs, and starts another. */
  restart(reason: string): void;
}

/** Ends a process that gets no calls, and starts another at the next call. */
export interface SleepOptions {
  /** The time without a call after which the process ends, in ms. */
  afterMs: number;
  /** Starts the next process. */
  start(): WorkerProcess;
}

/** One process with the state of its calls. */
interface ProcessEntry {
  readonly worker: WorkerProcess;
  readonly sleep: SleepOptions | undefined;
  calls: number;
  /** Called when `calls` falls to 0. It resolves the wait of `#retire`. */
  idle: () => void;
  /** Set while the process sleeps. It keeps the guards, which callers read without waking the process. */
  asleep?: { guards: Guards | undefined };
  unsubscribe: () => void;
}

const INCIDENTS = 50;
/** The time that a process without calls may take to end. */
const STOP_MS = 2_000;
const WAKE_MS = 60_000;

/**
 * The worker of a deployment, behind which processes change: the process of a newer build replaces that of an older
 * one, and an idle process ends until the next call.
 */
export class ReplaceableWorker implements WorkerProcess {
  readonly #changes = createEmitter();
  readonly #entries = new Set<ProcessEntry>();
  #current: ProcessEntry;
  /** Incidents of processes that have ended. */
  #past: Incident[] = [];
  #home: Home | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waking: Promise<void> | undefined;
  #stopped = false;

  readonly run: Worker["run"] = (...order) => this.#call((worker) => worker.run(...order));
  readonly threadState: Worker["threadState"] = (...question) =>
    this.#call((worker) => worker.threadState(...question));
  readonly drawing: Worker["drawing"] = (...question) => this.#call((worker) => worker.drawing(...question));
  readonly schemas: Worker["schemas"] = (...question) => this.#call((worker) => worker.schemas(...question));
  readonly subgraphs: Worker["subgraphs"] = (...question) => this.#call((worker) => worker.subgraphs(...question));
  readonly embed: Worker["embed"] = (...question) => this.#call((worker) => worker.embed(...question));
  readonly guard: Worker["guard"] = (...question) => this.#call((worker) => worker.guard(...question));
  readonly serve: Worker["serve"] = (...request) => this.#call((worker) => worker.serve(...request));

  constructor(first: WorkerProcess, sleep?: SleepOptions) {
    this.#current = this.#add(first, sleep);
    this.#sleepLater();
  }

  state(): WorkerState {
    return this.#current.asleep && !this.#stopped ? { status: "asleep" } : this.#current.worker.state();
  }

  graphs(): ReturnType<Worker["graphs"]> {
    return this.#current.worker.graphs();
  }

  incidents(): readonly Incident[] {
    return [...this.#past, ...this.#current.worker.incidents()].slice(-INCIDENTS);
  }

  onChange(listener: () => void): () => void {
    return this.#changes.on(listener);
  }

  cancel(runId: string, token?: number): boolean {
    return [...this.#entries].some(({ worker }) => worker.cancel(runId, token));
  }

  guards(): Guards {
    const { asleep, worker } = this.#current;
    if (!asleep) return worker.guards();
    if (asleep.guards) return asleep.guards;
    throw new Fault("unavailable", "The application's authentication did not load");
  }

  setHome(home: Home): void {
    this.#home = home;
    for (const { worker } of this.#entries) worker.setHome(home);
  }

  restart(reason: string): void {
    this.#current.worker.restart(reason);
  }

  /** Ends all processes at once, with their runs. That of the current code starts again. */
  abandonRuns(reason: string): void {
    this.#current.worker.restart(reason);
    for (const { worker } of this.#entries) if (worker !== this.#current.worker) void worker.stop(0);
  }

  /**
   * Sends all further calls to `next`. Resolves when the previous process has ended. Calls that it is still handling
   * may finish within `graceMs`; then they fail. After `stop`, `next` is stopped instead.
   */
  async replace(next: WorkerProcess, { graceMs, sleep }: { graceMs: number; sleep?: SleepOptions }): Promise<void> {
    // The server stops while code is being started.
    if (this.#stopped) return await next.stop(0);
    const before = this.#current;
    this.#current = this.#add(next, sleep);
    this.#sleepLater();
    this.#changes.emit();
    await this.#retire(before, before.asleep ? 0 : graceMs);
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await Promise.all([...this.#entries].map(({ worker }) => worker.stop(graceMs)));
  }

  async #call<T>(call: (worker: WorkerProcess) => Promise<T>): Promise<T> {
    while (this.#current.asleep && !this.#stopped) {
      this.#waking ??= this.#wake(this.#current).finally(() => (this.#waking = undefined));
      await this.#waking;
    }
    const entry = this.#current;
    entry.calls++;
    try {
      return await call(entry.worker);
    } finally {
      entry.calls--;
      if (entry.calls === 0) entry.idle();
      if (entry === this.#current) this.#sleepLater();
    }
  }

  #add(worker: WorkerProcess, sleep: SleepOptions | undefined): ProcessEntry {
    const entry: ProcessEntry = { worker, sleep, calls: 0, idle: () => undefined, unsubscribe: () => undefined };
    entry.unsubscribe = worker.onChange(() => entry === this.#current && !entry.asleep && this.#changes.emit());
    if (this.#home) worker.setHome(this.#home);
    this.#entries.add(entry);
    return entry;
  }

  async #retire(entry: ProcessEntry, graceMs: number): Promise<void> {
    if (entry.calls > 0) {
      await new Promise<void>((resolve) => {
        entry.idle = resolve;
        setTimeout(resolve, graceMs).unref();
      });
    }
    await entry.worker.stop(STOP_MS);
    this.#past = [...this.#past, ...entry.worker.incidents()].slice(-INCIDENTS);
    this.#remove(entry);
  }

  #remove(entry: ProcessEntry): void {
    entry.unsubscribe();
    this.#entries.delete(entry);
  }

  #sleepLater(): void {
    clearTimeout(this.#timer);
    const { sleep } = this.#current;
    if (sleep && !this.#stopped) this.#timer = setTimeout(() => this.#sleep(), sleep.afterMs).unref();
  }

  #sleep(): void {
    const entry = this.#current;
    if (entry.calls > 0 || entry.asleep || entry.worker.state().status !== "ready") return;
    entry.asleep = { guards: guardsOf(entry.worker) };
    this.#changes.emit();
    void entry.worker.stop(STOP_MS);
  }

  async #wake(sleeper: ProcessEntry): Promise<void> {
    if (!sleeper.sleep) return;
    const next = this.#add(sleeper.sleep.start(), sleeper.sleep);
    await settled(next.worker);
    // A newer build may have replaced it in the meantime.
    if (this.#current !== sleeper) return await this.#retire(next, 0);
    this.#current = next;
    this.#remove(sleeper);
    this.#changes.emit();
  }
}

function guardsOf(worker: Worker): Guards | undefined {
  try {
    return worker.guards();
  } catch {
    return undefined;
  }
}

/** Resolves when the worker has left the state `starting`, or after `timeoutMs`. */
export function settled(worker: Worker, timeoutMs = WAKE_MS): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const check = (): void => {
      if (worker.state().status !== "starting") end();
    };
    const timer = setTimeout(end, timeoutMs);
    const unsubscribe = worker.onChange(check);
    check();
  });
}
