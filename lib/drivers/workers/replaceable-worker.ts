import type { RunEnding, Worker } from "../../engine/ports/ports.ts";
import type { Guards } from "../../protocol/auth.ts";
import type { Incident, WorkerState } from "../../protocol/deployments.ts";
import { Fault } from "../../protocol/faults.ts";
import type { Home } from "../../protocol/worker.ts";
import { createEmitter } from "../../rules/emitter.ts";

/** A worker whose process can be started anew. */
export interface WorkerProcess extends Worker {
  setHome(home: Home): void;
  restart(): void;
}

/** A process that nobody calls ends after a while, until the next call. */
export interface SleepOptions {
  /** Time without a call, in ms. */
  afterMs: number;
  /** Starts the next process. */
  start(): WorkerProcess;
}

/** One process that was handed calls. */
interface ProcessEntry {
  readonly worker: WorkerProcess;
  readonly sleep: SleepOptions | undefined;
  calls: number;
  /** Called when `calls` falls to 0. */
  idle: () => void;
  /** Set while it sleeps: what its application's authentication could be asked. */
  asleep?: { guards: Guards | undefined };
  unsubscribe: () => void;
}

const INCIDENTS = 50;
/** How long a process that has nothing to do any more may take to end. */
const STOP_MS = 2_000;
const WAKE_MS = 60_000;

/**
 * The one worker of a deployment, though the processes behind it change: a newer build takes the place of an older one,
 * and a process that nobody needs ends until the next call.
 */
export class ReplaceableWorker implements WorkerProcess {
  readonly #changes = createEmitter();
  readonly #entries = new Set<ProcessEntry>();
  #current: ProcessEntry;
  /** Of processes that have ended. */
  #past: Incident[] = [];
  #home: Home | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waking: Promise<void> | undefined;
  #stopped = false;

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

  run(...order: Parameters<Worker["run"]>): Promise<RunEnding> {
    return this.#call((worker) => worker.run(...order));
  }

  cancel(runId: string): boolean {
    return [...this.#entries].some(({ worker }) => worker.cancel(runId));
  }

  threadState(...question: Parameters<Worker["threadState"]>): ReturnType<Worker["threadState"]> {
    return this.#call((worker) => worker.threadState(...question));
  }

  drawing(...question: Parameters<Worker["drawing"]>): ReturnType<Worker["drawing"]> {
    return this.#call((worker) => worker.drawing(...question));
  }

  schemas(...question: Parameters<Worker["schemas"]>): ReturnType<Worker["schemas"]> {
    return this.#call((worker) => worker.schemas(...question));
  }

  subgraphs(...question: Parameters<Worker["subgraphs"]>): ReturnType<Worker["subgraphs"]> {
    return this.#call((worker) => worker.subgraphs(...question));
  }

  embed(...question: Parameters<Worker["embed"]>): ReturnType<Worker["embed"]> {
    return this.#call((worker) => worker.embed(...question));
  }

  guards(): Guards {
    const { asleep, worker } = this.#current;
    if (!asleep) return worker.guards();
    if (asleep.guards) return asleep.guards;
    throw new Fault("unavailable", "The application's authentication did not load");
  }

  guard(...question: Parameters<Worker["guard"]>): ReturnType<Worker["guard"]> {
    return this.#call((worker) => worker.guard(...question));
  }

  serve(...request: Parameters<Worker["serve"]>): ReturnType<Worker["serve"]> {
    return this.#call((worker) => worker.serve(...request));
  }

  setHome(home: Home): void {
    this.#home = home;
    for (const { worker } of this.#entries) worker.setHome(home);
  }

  restart(): void {
    this.#current.worker.restart();
  }

  /**
   * From now on everything goes to `next`. Resolves when the process before it has ended: what it was doing it may
   * finish within `graceMs`, then it is lost.
   */
  async replace(next: WorkerProcess, { graceMs, sleep }: { graceMs: number; sleep?: SleepOptions }): Promise<void> {
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
    // Meanwhile a newer build may have taken its place.
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

/** Resolves when it is ready, or has failed. */
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
