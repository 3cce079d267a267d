import type { Worker } from "../../engine/ports/ports.ts";
import type { RunEnding } from "../../engine/ports/run-end.ts";
import type { Guards } from "../../protocol/auth.ts";
import type { Incident, WorkerState } from "../../protocol/deployments.ts";
import type { Home, RunOrder } from "../../protocol/worker.ts";
import { createEmitter } from "../../rules/emitter.ts";
import { incidentsOfGroup, stateOfGroup } from "../../rules/workers/group.ts";
import { leastBusyPosition, positionForThread } from "../../rules/workers/placement.ts";
import type { WorkerProcess } from "./replaceable-worker.ts";

/** One process, and the calls that it is handling. */
interface Member {
  readonly worker: WorkerProcess;
  calls: number;
}

/**
 * Several processes of the same code, which share the runs of a deployment. Runs of one thread go to the same process
 * while it is ready (`positionForThread`), all others to the least busy one. A process that ends loses its own runs only.
 *
 * The first process loads the code alone, and the others start when it is ready: code that cannot be loaded fails once,
 * and the others find its compiled code in the cache.
 */
export class WorkerGroup implements WorkerProcess {
  readonly #count: number;
  readonly #start: (position: number) => WorkerProcess;
  readonly #members: Member[] = [];
  readonly #changes = createEmitter();
  #home: Home | undefined;
  /** Position of the member that was last chosen as the least busy one. */
  #last = -1;
  #stopped = false;

  readonly threadState: Worker["threadState"] = (question) =>
    call(this.#forThread(question.configurable.thread_id), (worker) => worker.threadState(question));
  readonly embed: Worker["embed"] = (...texts) => call(this.#leastBusy(), (worker) => worker.embed(...texts));
  readonly guard: Worker["guard"] = (question) => call(this.#leastBusy(), (worker) => worker.guard(question));
  // Processes keep what they have computed about graphs, so one of them answers all questions about these.
  readonly drawing: Worker["drawing"] = (...question) => this.#first().worker.drawing(...question);
  readonly schemas: Worker["schemas"] = (...question) => this.#first().worker.schemas(...question);
  readonly subgraphs: Worker["subgraphs"] = (...question) => this.#first().worker.subgraphs(...question);
  // Routes of applications may keep state in memory, such as sessions.
  readonly serve: Worker["serve"] = (...request) => this.#first().worker.serve(...request);

  /** `start` starts the process with this position, from 0 to `count - 1`. */
  constructor(count: number, start: (position: number) => WorkerProcess) {
    this.#count = count;
    this.#start = start;
    this.#add();
  }

  state(): WorkerState {
    return stateOfGroup(
      this.#members.map(({ worker }) => worker.state()),
      this.#count,
    );
  }

  graphs(): ReturnType<Worker["graphs"]> {
    return this.#first().worker.graphs();
  }

  guards(): Guards {
    return this.#first().worker.guards();
  }

  incidents(): readonly Incident[] {
    return incidentsOfGroup(this.#members.map(({ worker }) => worker.incidents()));
  }

  onChange(listener: () => void): () => void {
    return this.#changes.on(listener);
  }

  run(order: RunOrder, sink: Parameters<Worker["run"]>[1]): Promise<RunEnding> {
    // A run without a thread has the id of a thread that is not stored.
    const member = order.durable ? this.#forThread(order.config.configurable?.thread_id) : this.#leastBusy();
    return call(member, (worker) => worker.run(order, sink));
  }

  cancel(runId: string, token?: number): boolean {
    return this.#members.some(({ worker }) => worker.cancel(runId, token));
  }

  setHome(home: Home): void {
    this.#home = home;
    for (const { worker } of this.#members) worker.setHome(home);
  }

  /** Restarts all processes at once: when the code has changed, no call may reach the old code after a new one. */
  restart(reason: string): void {
    for (const { worker } of this.#members) worker.restart(reason);
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#members.map(({ worker }) => worker.stop(graceMs)));
  }

  #add(): void {
    const worker = this.#start(this.#members.length);
    this.#members.push({ worker, calls: 0 });
    if (this.#home) worker.setHome(this.#home);
    worker.onChange(() => this.#handleChange());
  }

  #handleChange(): void {
    const isFirstReady = this.#members.length < this.#count && this.#ready().length > 0;
    if (isFirstReady && !this.#stopped) while (this.#members.length < this.#count) this.#add();
    this.#changes.emit();
  }

  #ready(): { member: Member; position: number; calls: number }[] {
    return this.#members
      .map((member, position) => ({ member, position, calls: member.calls }))
      .filter(({ member }) => member.worker.state().status === "ready");
  }

  /** Returns the first ready member. Without one it is the first of all, which refuses every call with the reason. */
  #first(): Member {
    const [first] = this.#members;
    if (!first) throw new Error("a group has at least one process");
    return this.#members.find(({ worker }) => worker.state().status === "ready") ?? first;
  }

  #forThread(thread: unknown): Member {
    if (typeof thread !== "string") return this.#leastBusy();
    const position = positionForThread(thread, this.#ready());
    return this.#at(position);
  }

  #leastBusy(): Member {
    const position = leastBusyPosition(this.#ready(), this.#last);
    if (position !== undefined) this.#last = position;
    return this.#at(position);
  }

  #at(position: number | undefined): Member {
    return (position === undefined ? undefined : this.#members[position]) ?? this.#first();
  }
}

async function call<T>(member: Member, ask: (worker: WorkerProcess) => Promise<T>): Promise<T> {
  member.calls++;
  try {
    return await ask(member.worker);
  } finally {
    member.calls--;
  }
}
