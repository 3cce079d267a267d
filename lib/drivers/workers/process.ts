import type { Worker } from "../../engine/ports/ports.ts";
import type { RunEnding } from "../../engine/ports/run-end.ts";
import type { AppAnswer, AppRequest } from "../../protocol/app-routes.ts";
import type { GuardAnswer, GuardQuestion, Guards } from "../../protocol/auth.ts";
import type { Incident, WorkerState } from "../../protocol/deployments.ts";
import { Fault } from "../../protocol/faults.ts";
import type { NewEvent, RunError } from "../../protocol/stream.ts";
import { BadLine } from "../../protocol/line-checks.ts";
import type { WorkerLine } from "../../protocol/worker-lines.ts";
import type { ApplicationCode, Home, HostMessage, LoadedGraph, RunOrder } from "../../protocol/worker.ts";
import { createEmitter } from "../../rules/emitter.ts";
import { decideRestart } from "../../rules/workers/backoff.ts";
import { type HostRequestQueue, createHostRequestQueue } from "./host-requests.ts";
import { type Assignments, createAssignments } from "./assignments.ts";
import { type WorkerAnswer, createWorkerRequests, isWorkerAnswer, type WorkerRequest } from "./worker-requests.ts";
import { createServerLog, type PrintedLine, type ServerLog } from "./server-log.ts";
import { type Backlog, createBacklog } from "./backlog.ts";
import type { PauseReason } from "./channel.ts";
import { type Child, type ChildOptions, startChild } from "./child.ts";
import { createDescriptions, type ReadTypes } from "./descriptions.ts";
import { createExchanges } from "./exchanges.ts";
import { answerHostRequest, type HostAnswers } from "./host-answers.ts";
import { createIncidents } from "./incidents.ts";
import { type VitalLimits, type Vitals, watchVitals } from "./vitals.ts";
import { loadProblems, requireConfigured } from "./loaded.ts";
import { loadedGuards, notBegun, notLoaded, notRunning, toHostError } from "./refusals.ts";
import { createTold, type TellOptions } from "./told.ts";
import { isoTime } from "../../protocol/iso-time.ts";

const KEPT_CRASHES = 20;

export interface WorkerOptions
  extends ChildOptions, ApplicationCode, Pick<HostAnswers, "answer">, Pick<TellOptions, "change"> {
  now: () => number;
  /** Receives every line of the worker's log. */
  echo: (line: PrintedLine) => void;
  /** Reads the types of graphs, if the worker may not do that itself. */
  readTypes?: ReadTypes;
  limits?: VitalLimits;
}

/** A process, and the state of the host that belongs to it alone. */
interface RunningChild {
  child: Child;
  requests: HostRequestQueue;
  started: number;
}

/**
 * Keeps one worker process running. It starts the process, assigns runs to it, checks that it answers, and restarts it
 * with growing pauses when it ends. Its runs then end with the reason.
 */
export class SupervisedWorker implements Worker {
  readonly #options: WorkerOptions;
  readonly #log: ServerLog;
  readonly #assignments: Assignments;
  readonly #requests = createWorkerRequests();
  readonly #exchanges = createExchanges();
  readonly #changes = createEmitter();
  readonly #incidents: ReturnType<typeof createIncidents>;
  readonly #crashes: number[] = [];
  #state: WorkerState = { status: "starting", attempt: 1 };
  #graphs: readonly LoadedGraph[] = [];
  #parts: Pick<Extract<WorkerLine, { type: "ready" }>, "auth" | "app"> = {};
  #child: Child | undefined;
  #vitals: Vitals | undefined;
  /** True once the process has reported which graphs it has loaded. */
  #hasLoaded = false;
  /** The deadline of a shutdown, or the next restart. */
  #timer: NodeJS.Timeout | undefined;
  /** Set when the process was told to end; without it, an end of the process is a crash. */
  #requestedEnd: "stop" | "restart" | undefined;
  #home: Home | undefined;
  /** When a process that is to stop is killed, by the clock of `performance`. */
  #killDue = Infinity;
  readonly #stopped = Promise.withResolvers<void>();
  readonly #descriptions = createDescriptions(
    (request) => this.#request(request),
    (graph) => this.#options.readTypes?.(graph),
  );
  readonly drawing = this.#descriptions.drawing;
  readonly schemas = this.#descriptions.schemas;
  readonly subgraphs = this.#descriptions.subgraphs;
  readonly threadState = this.#descriptions.threadState;
  readonly embed = this.#descriptions.embed;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#incidents = createIncidents(options.now, () => this.#setState(this.#state));
    this.#log = createServerLog({ ...options, flooded: () => this.#incidents.noteFlood() });
    const backlogOf = (what: PauseReason): Backlog =>
      createBacklog((isReading) => (isReading ? this.#child?.resume(what) : this.#child?.pause(what)));
    const openTold = createTold({
      change: options.change,
      toError: (thrown, { run }) => this.#toHostError(thrown, run),
      send: (message) => this.#child?.send(message),
      backlog: backlogOf("changes"),
    });
    this.#assignments = createAssignments(backlogOf("events"), openTold);
    this.#start(1);
  }

  state(): WorkerState {
    return this.#state;
  }

  graphs(): readonly LoadedGraph[] {
    return this.#graphs;
  }

  incidents(): readonly Incident[] {
    return this.#incidents.all;
  }

  onChange(listener: () => void): () => void {
    return this.#changes.on(listener);
  }

  async run(order: RunOrder, sink: (events: readonly NewEvent[]) => Promise<unknown>): Promise<RunEnding> {
    const child = this.#ready();
    if (!child) return notBegun(this.#state);
    const ending = this.#assignments.add(order.run, order.token, sink);
    child.send({ type: "run", ...order });
    return await ending;
  }

  cancel(run: string, token?: number): boolean {
    if (!this.#assignments.cancel(run, token)) return false;
    this.#child?.send({ type: "cancel", run });
    return true;
  }

  guards(): Guards {
    if (!this.#ready()) notRunning();
    return loadedGuards(this.#parts.auth);
  }

  async guard(question: GuardQuestion): Promise<GuardAnswer> {
    const line = await this.#request({ type: "guard", ...question });
    if ("answer" in line && line.type === "guarded") return line.answer;
    throw notLoaded("auth module");
  }

  async serve(request: AppRequest, signal: AbortSignal): Promise<AppAnswer> {
    const { send } = this.#ready() ?? notRunning();
    const { app } = this.#parts;
    if (!app || app.error) throw notLoaded("app", app?.error);
    return await this.#exchanges.begin(request, signal, send);
  }

  /** Tells this process, and every one that follows it, the address of its server. */
  setHome(home: Home): void {
    this.#home = home;
    this.#child?.send({ type: "home", ...home });
  }

  restart(reason: string): void {
    if (this.#requestedEnd === "stop") return;
    this.#requestedEnd = "restart";
    if (this.#child) this.#child.kill(reason);
    else this.#handleEnd(reason);
  }

  async stop(graceMs: number): Promise<void> {
    this.#requestedEnd = "stop";
    const child = this.#child;
    if (!child) return this.#handleEnd("stopped");
    this.#vitals?.stop();
    child.send({ type: "shutdown" });
    // The code may have been replaced when the server stops.
    const due = performance.now() + graceMs;
    if (due < this.#killDue) this.#schedule(graceMs, () => child.kill("it did not finish in time"));
    this.#killDue = Math.min(due, this.#killDue);
    await this.#stopped.promise;
  }

  #ready(): Child | undefined {
    return this.#state.status === "ready" ? this.#child : undefined;
  }

  async #request(request: WorkerRequest): Promise<WorkerAnswer> {
    const { send } = this.#ready() ?? notRunning();
    return await this.#requests.send(request, send);
  }

  #start(attempt: number): void {
    const { folder, root, graphs, auth, app, compiled, memoryMb, limits } = this.#options;
    this.#setState({ status: "starting", attempt });
    const started = this.#options.now();
    this.#hasLoaded = false;
    const child = startChild(this.#options, {
      messages: (lines) => this.#receive({ child, requests, started }, lines),
      drained: () => requests.resume(),
      print: (from, text) => this.#log.print(from, text),
      exit: (reason) => this.#handleEnd(reason),
    });
    const requests = createHostRequestQueue({
      answer: (line) => this.#answerHostRequest(line),
      send: (message) => child.send(message),
      isBehind: () => child.isBehind(),
      setReading: (isReading) => (isReading ? child.resume("questions") : child.pause("questions")),
    });
    this.#child = child;
    this.#vitals = watchVitals(child, { memoryMb, limits, measured: (memory) => this.#noteMemory(memory) });
    if (this.#home) child.send({ type: "home", ...this.#home });
    child.send({ type: "load", folder, root, graphs, auth, app, compiled });
  }

  /** Throws `BadLine`. */
  #receive({ child, requests, started }: RunningChild, lines: readonly WorkerLine[]): void {
    this.#vitals?.messageReceived();
    for (const line of lines) {
      if (line.type === "ready") {
        if (this.#hasLoaded) throw new BadLine("ready: it was sent before");
        this.#hasLoaded = true;
        requireConfigured(line, this.#options.graphs);
        this.#vitals?.loaded(() => this.#loaded(child, started, line));
      } else if (isWorkerAnswer(line)) this.#requests.answer(line);
      else if (line.type === "response" || line.type === "chunk" || line.type === "done") this.#exchanges.receive(line);
      else if (line.type === "ask") requests.add(line);
    }
    this.#assignments.deliver(lines);
  }

  #noteMemory(memory: number): void {
    if (this.#state.status === "ready") this.#state = { ...this.#state, memory };
  }

  #answerHostRequest(line: Extract<WorkerLine, { type: "ask" }>): Promise<HostMessage> {
    const { run, token } = line;
    return answerHostRequest(line, {
      isOver: !this.#assignments.has(run, token) && !this.#requests.isRequester(run),
      settled: this.#assignments.settled(run),
      answer: this.#options.answer,
      toError: (thrown) => this.#toHostError(thrown, run),
    });
  }

  /** Returns the error that a graph gets. The server log has the others. */
  #toHostError(thrown: unknown, run: string): RunError {
    if (!(thrown instanceof Fault)) this.#log.print("host", `a request of run ${run} failed: ${String(thrown)}`);
    return toHostError(thrown);
  }

  #loaded({ pid = 0 }: Child, started: number, line: Extract<WorkerLine, { type: "ready" }>): void {
    const now = this.#options.now();
    this.#graphs = line.graphs;
    this.#parts = line;
    for (const problem of loadProblems(line)) this.#incidents.add(problem);
    const startedInMs = now - started;
    const loaded = line.graphs.filter((one) => !one.error).length;
    this.#log.print("host", `worker ready in ${startedInMs} ms, ${loaded} of ${line.graphs.length} graphs loaded`);
    this.#setState({ status: "ready", pid, since: isoTime(now), startedInMs, langgraph: line.langgraph });
  }

  #handleEnd(reason: string): void {
    clearTimeout(this.#timer);
    this.#vitals?.stop();
    this.#child = undefined;
    this.#requests.rejectAll(reason);
    this.#exchanges.endAll(reason);
    const requested = this.#requestedEnd;
    const error = {
      error: requested ? "WorkerStopped" : "WorkerCrashed",
      message: `The worker process of this deployment ended: ${reason}`,
    };
    if (requested === "stop") this.#setState({ status: "stopped" });
    else if (requested === "restart") this.#requestedEnd = undefined;
    else this.#handleCrash(reason, error);
    this.#assignments.endAll({ status: "error", error, events: [], lost: requested ? "stopped" : "crashed" });
    if (requested === "restart") this.#start(1);
    if (requested === "stop") this.#stopped.resolve();
  }

  #handleCrash(reason: string, error: Incident["error"]): void {
    const now = this.#options.now();
    this.#crashes.push(now);
    if (this.#crashes.length > KEPT_CRASHES) this.#crashes.shift();
    const { delayMs, attempt, gaveUp } = decideRestart(this.#crashes, now);
    this.#log.print("host", `worker ended: ${reason}; starts again in ${delayMs / 1000} s`);
    this.#incidents.add({ source: "worker", error });
    const retryAt = isoTime(now + delayMs);
    this.#setState(
      gaveUp ? { status: "failed", reason: error.message } : { status: "crashed", reason, attempt, retryAt },
    );
    this.#schedule(delayMs, () => this.#start(attempt + 1));
  }

  #setState(state: WorkerState): void {
    this.#state = state;
    this.#changes.emit();
  }

  #schedule(ms: number, call: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(call, ms);
  }
}
