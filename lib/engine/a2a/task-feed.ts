/** Follows one run of a task once, for any number of listeners. */
import { isoTime } from "../../protocol/iso-time.ts";
import { isResting, isTerminal, type Dialect, type TaskUpdate } from "../../protocol/a2a.ts";
import { renderings } from "../../protocol/a2a-render.ts";
import { beginRun, endAfter, foldEvent, latest, stateOf, type TaskProgress } from "../../rules/a2a/task-fold.ts";
import {
  isBehind,
  nextUpdates,
  initialUpdates,
  catchUpUpdates,
  taskSnapshot,
  PIECE_MS,
  type SentUpdates,
} from "../../rules/a2a/task-updates.ts";
import { endAsStored } from "../../rules/a2a/stored-end.ts";
import { statusOf } from "../../rules/a2a/task.ts";
import { follow } from "../follow.ts";
import type { Deployment, Platform } from "../ports/ports.ts";
import { changeTask } from "./task-pushes.ts";
import type { TaskRecord, FeedStart, TaskFeed } from "../ports/tasks.ts";
import { resolveOnAbort } from "../resolve-on-abort.ts";

/** The number of updates kept. A listener that is further behind receives the whole task again. */
const KEPT = 1024;
/** A state that lasts no longer than this is not stored. */
const BRIEF_MS = 20;

export type FeedPlatform = Pick<Platform, "clock" | "logger" | "sha1">;
/** The parts of the deployment that a feed uses. */
export type FeedSource = Pick<Deployment, "log" | "runs" | "tasks" | "pushEnabled" | "pushDue">;

export function newestRun(task: Pick<TaskRecord, "run_ids" | "task_id">): string {
  return task.run_ids.at(-1) ?? task.task_id;
}

interface Update {
  readonly update: TaskUpdate;
  readonly json: Partial<Record<Dialect, string>>;
}

export class Feed implements TaskFeed {
  readonly task: TaskRecord;
  done: Promise<void> = Promise.resolve();
  readonly #platform: FeedPlatform;
  readonly #source: FeedSource;
  /** Progress at the beginning of the newest run. */
  readonly #begun: TaskProgress;
  #progress: TaskProgress;
  #sent: SentUpdates;
  #updates: Update[] = [];
  /** The number of the first update that is kept. */
  #first = 0;
  #over = false;
  #changed = Promise.withResolvers<void>();
  readonly #rested = Promise.withResolvers<void>();

  /** `begun` is the progress before this feed. Its default is the progress at the beginning of the newest run. */
  constructor(platform: FeedPlatform, source: FeedSource, task: TaskRecord, begun: TaskProgress = beginRun(task)) {
    this.#platform = platform;
    this.#source = source;
    this.task = task;
    this.#begun = begun;
    this.#progress = begun;
    this.#sent = initialUpdates(task, begun);
  }

  progress(): TaskProgress {
    return this.#progress;
  }

  listen(from: "beginning" | "now", historyLength?: number): FeedStart {
    if (from === "beginning" && this.#first === 0) {
      const sent = initialUpdates(this.task, this.#begun);
      return { first: taskSnapshot(this.task, this.#begun, sent, historyLength), next: 0 };
    }
    const first = taskSnapshot(this.task, this.#progress, this.#sent, historyLength);
    return { first, next: this.#first + this.#updates.length };
  }

  continueFrom(before: TaskFeed): Partial<FeedStart> & Pick<FeedStart, "next"> {
    const runs = this.task.run_ids.length - before.task.run_ids.length;
    if (runs > 1 || this.#first > 0) return this.listen("now");
    if (runs < 1) return { next: 0 };
    const { task_id: taskId, context_id: contextId } = this.task;
    const status = statusOf(this.task, this.#begun, this.#begun.stages.length - 1);
    return { first: { kind: "status", taskId, contextId, status, last: false }, next: 0 };
  }

  read(next: number, dialect: Dialect, stays = false): { updates: readonly string[]; next: number; over: boolean } {
    const end = this.#first + this.#updates.length;
    const over = this.#over;
    if (next < this.#first) {
      const { first, next: now } = this.listen("now");
      return { updates: catchUpUpdates(first, { dialect, stays }).map((one) => encode(dialect, one)), next: now, over };
    }
    const updates = this.#updates.slice(next - this.#first).map((one) => {
      if (stays && isQuestion(one.update)) return encode(dialect, { ...one.update, last: false });
      return (one.json[dialect] ??= encode(dialect, one.update));
    });
    return { updates, next: end, over };
  }

  async changed(next: number, signal?: AbortSignal): Promise<void> {
    if (next < this.#first + this.#updates.length || this.#over) return;
    await resolveOnAbort(this.#changed.promise, signal);
  }

  async rested(signal?: AbortSignal): Promise<void> {
    await resolveOnAbort(this.#rested.promise, signal);
  }

  /** Follows the newest run to its end. */
  async run(signal: AbortSignal): Promise<void> {
    const runId = newestRun(this.task);
    const ended = await this.#endOf(runId);
    let flush: NodeJS.Timeout | undefined;
    let working: NodeJS.Timeout | undefined;
    try {
      for await (const events of follow(this.#source, runId, -1, signal)) {
        const now = this.#platform.clock.now();
        const at = ended ?? isoTime(now);
        for (const event of events) this.#progress = foldEvent(this.#progress, event, at);
        clearTimeout(flush);
        if (isResting(stateOf(this.#progress))) break;
        // The run may begin long after the task was created.
        working ??= setTimeout(() => void this.#storeWorking(runId), BRIEF_MS);
        this.#publish(now);
        // A piece held back because it followed the one before too soon is sent by this timer.
        if (isBehind(this.#sent, this.#progress))
          flush = setTimeout(() => this.#publish(this.#platform.clock.now()), PIECE_MS);
      }
    } finally {
      clearTimeout(flush);
      clearTimeout(working);
    }
    const over = await this.#endAfter(runId, signal);
    if (!over) return;
    this.#progress = over;
    await this.#settle(runId);
  }

  /** Returns the stored end of a run that ended before this process followed it; undefined for a live run. */
  async #endOf(runId: string): Promise<string | undefined> {
    if (await this.#source.log.isLive(runId)) return undefined;
    return (await this.#source.runs.get(runId))?.updated_at;
  }

  /** Returns the final progress; undefined when another process goes on with the task. */
  async #endAfter(runId: string, signal: AbortSignal): Promise<TaskProgress | undefined> {
    if (isResting(stateOf(this.#progress))) return this.#progress;
    if (signal.aborted) return undefined;
    const run = await this.#source.runs.get(runId);
    return endAfter(this.#progress, run, run?.updated_at ?? isoTime(this.#platform.clock.now()));
  }

  /**
   * Stores the end before listeners get it, so a listener that then reads the task finds it ended. The first server that
   * stores it decides when that was.
   */
  async #settle(run: string): Promise<void> {
    const { state, at } = latest(this.#progress);
    const isFirst = await changeTask(this.#platform, this.#source, this.task, {
      from: ["submitted", "working"],
      run,
      state,
      at,
      progress: this.#progress,
      moment: "rest",
    });
    if (!isFirst) await this.#adoptStoredEnd(run);
    this.#publish(this.#platform.clock.now());
    this.#rested.resolve();
  }

  async #adoptStoredEnd(run: string): Promise<void> {
    const stored = await this.#source.tasks.get(this.task.task_id);
    if (stored && isResting(stored.state) && newestRun(stored) === run)
      this.#progress = endAsStored(this.#progress, stored);
  }

  async #storeWorking(run: string): Promise<void> {
    const progress = this.#progress;
    const { state, at } = latest(progress);
    if (state !== "working") return;
    try {
      const change = { from: ["submitted"], run, state, at, progress, moment: "working" } as const;
      await changeTask(this.#platform, this.#source, this.task, change);
    } catch (error) {
      this.#platform.logger.error(`the state of task ${this.task.task_id} could not be stored`, error);
    }
  }

  #publish(now: number): void {
    const { sent, updates } = nextUpdates(this.task, this.#sent, this.#progress, now);
    this.#sent = sent;
    if (updates.length === 0) return;
    this.#updates.push(...updates.map((update): Update => ({ update, json: {} })));
    const surplus = this.#updates.length - KEPT;
    if (surplus > 0) {
      this.#updates.splice(0, surplus);
      this.#first += surplus;
    }
    this.#notify();
  }

  #notify(): void {
    const news = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    news.resolve();
  }

  /** Ends the feed with progress that comes from no run. */
  finish(progress: TaskProgress): void {
    this.#progress = progress;
    this.#publish(this.#platform.clock.now());
    this.close();
  }

  close(): void {
    this.#over = true;
    this.#rested.resolve();
    this.#notify();
  }
}

function encode(dialect: Dialect, update: TaskUpdate): string {
  return JSON.stringify(renderings[dialect].update(update));
}

/** Returns whether an update is the last one of its run only, because the task goes on when it is answered. */
function isQuestion(update: TaskUpdate): update is Extract<TaskUpdate, { kind: "status" }> {
  return update.kind === "status" && update.last && !isTerminal(update.status.state);
}
