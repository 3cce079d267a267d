/** Tasks that are under way, each followed once however many listen to it. */
import { isResting, type Dialect, type TaskUpdate } from "../protocol/a2a.ts";
import { renderings } from "../protocol/a2a-render.ts";
import { beginRun, endAfter, hear, latest, stateOf, type Heard } from "../rules/a2a-fold.ts";
import { isBehind, tell, tellTask, toldTask, PIECE_MS, type Told } from "../rules/a2a-stream.ts";
import { follow } from "./follow.ts";
import type { Deployment, Platform } from "./ports.ts";
import { changeTask } from "./task-pushes.ts";
import type { KnownTask, Listening, TaskFeed, TaskFeeds } from "./task-ports.ts";

/** Who is further behind than so many updates is told the whole task again. */
const KEPT = 1024;
/** A state that lasts no longer is not worth a write. */
const BRIEF_MS = 20;

type Basics = Pick<Platform, "clock" | "logger" | "sha1">;
/** What a feed asks of its deployment. */
type Source = Pick<Deployment, "log" | "runs" | "tasks" | "pushing" | "pushDue">;

export function createTaskFeeds(platform: Basics, source: Source): TaskFeeds {
  const feeds = new Map<string, Feed>();
  const stopping = new AbortController();
  const open = (task: KnownTask): Feed => {
    const runId = newestRun(task);
    const known = feeds.get(runId);
    if (known) return known;
    const feed = new Feed(platform, source, task);
    feeds.set(runId, feed);
    feed.done = feed
      .run(stopping.signal)
      .catch((error: unknown) => platform.logger.error(`task ${task.task_id} could not be followed`, error))
      .finally(() => {
        feed.close();
        feeds.delete(runId);
      });
    return feed;
  };
  return {
    open,
    find: (task) => feeds.get(newestRun(task)),
    async recover() {
      for (const task of await source.tasks.active()) open(task);
    },
    async stop() {
      stopping.abort();
      await Promise.all([...feeds.values()].map((feed) => feed.done));
    },
  };
}

export function newestRun(task: Pick<KnownTask, "run_ids" | "task_id">): string {
  return task.run_ids.at(-1) ?? task.task_id;
}

interface Update {
  readonly update: TaskUpdate;
  readonly json: Partial<Record<Dialect, string>>;
}

class Feed implements TaskFeed {
  readonly task: KnownTask;
  done: Promise<void> = Promise.resolve();
  readonly #platform: Basics;
  readonly #source: Source;
  /** As the newest run begins. */
  readonly #begun: Heard;
  #heard: Heard;
  #told: Told;
  #updates: Update[] = [];
  /** Number of the first update that is kept. */
  #first = 0;
  #over = false;
  #news = Promise.withResolvers<void>();
  readonly #rest = Promise.withResolvers<void>();

  constructor(platform: Basics, source: Source, task: KnownTask) {
    this.#platform = platform;
    this.#source = source;
    this.task = task;
    this.#begun = beginRun(task);
    this.#heard = this.#begun;
    this.#told = tellTask(task, this.#begun);
  }

  heard(): Heard {
    return this.#heard;
  }

  listen(from: "beginning" | "now", historyLength?: number): Listening {
    if (from === "beginning" && this.#first === 0) {
      return { first: toldTask(this.task, this.#begun, tellTask(this.task, this.#begun), historyLength), next: 0 };
    }
    const first = toldTask(this.task, this.#heard, this.#told, historyLength);
    return { first, next: this.#first + this.#updates.length };
  }

  read(next: number, dialect: Dialect): { updates: readonly string[]; next: number; over: boolean } {
    const end = this.#first + this.#updates.length;
    const over = this.#over;
    if (next < this.#first) {
      const { first, next: now } = this.listen("now");
      return { updates: [encode(dialect, first)], next: now, over };
    }
    const updates = this.#updates
      .slice(next - this.#first)
      .map((one) => (one.json[dialect] ??= encode(dialect, one.update)));
    return { updates, next: end, over };
  }

  async changed(next: number, signal?: AbortSignal): Promise<void> {
    if (next < this.#first + this.#updates.length || this.#over) return;
    await unlessAborted(this.#news.promise, signal);
  }

  async rested(signal?: AbortSignal): Promise<void> {
    await unlessAborted(this.#rest.promise, signal);
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
        const at = ended ?? new Date(now).toISOString();
        for (const event of events) this.#heard = hear(this.#heard, event, at);
        clearTimeout(flush);
        if (isResting(stateOf(this.#heard))) break;
        // Its turn may come long after the task was begun.
        working ??= setTimeout(() => void this.#note(runId), BRIEF_MS);
        this.#tell(now);
        // What came too soon after the piece before it goes out by itself.
        if (isBehind(this.#told, this.#heard))
          flush = setTimeout(() => this.#tell(this.#platform.clock.now()), PIECE_MS);
      }
    } finally {
      clearTimeout(flush);
      clearTimeout(working);
    }
    const over = await this.#endAfter(runId, signal);
    if (!over) return;
    this.#heard = over;
    await this.#settle(runId);
  }

  /** A run that ended before this process began to follow it ended when it did. */
  async #endOf(runId: string): Promise<string | undefined> {
    if (this.#source.log.isLive(runId)) return undefined;
    return (await this.#source.runs.get(runId))?.updated_at;
  }

  /** Undefined where the task goes on, with another process. */
  async #endAfter(runId: string, signal: AbortSignal): Promise<Heard | undefined> {
    if (isResting(stateOf(this.#heard))) return this.#heard;
    if (signal.aborted) return undefined;
    const run = await this.#source.runs.get(runId);
    return endAfter(this.#heard, run, run?.updated_at ?? new Date(this.#platform.clock.now()).toISOString());
  }

  /** Stored before anybody is told: who hears of the end and asks for the task finds it ended. */
  async #settle(run: string): Promise<void> {
    const { state, at } = latest(this.#heard);
    await changeTask(this.#platform, this.#source, this.task, {
      from: ["submitted", "working"],
      run,
      state,
      at,
      heard: this.#heard,
      moment: "rest",
    });
    this.#tell(this.#platform.clock.now());
    this.#rest.resolve();
  }

  async #note(run: string): Promise<void> {
    const heard = this.#heard;
    const { state, at } = latest(heard);
    if (state !== "working") return;
    try {
      const change = { from: ["submitted"], run, state, at, heard, moment: "working" } as const;
      await changeTask(this.#platform, this.#source, this.task, change);
    } catch (error) {
      this.#platform.logger.error(`the state of task ${this.task.task_id} could not be stored`, error);
    }
  }

  #tell(now: number): void {
    const { told, updates } = tell(this.task, this.#told, this.#heard, now);
    this.#told = told;
    if (updates.length === 0) return;
    this.#updates.push(...updates.map((update): Update => ({ update, json: {} })));
    const surplus = this.#updates.length - KEPT;
    if (surplus > 0) {
      this.#updates.splice(0, surplus);
      this.#first += surplus;
    }
    this.#wake();
  }

  #wake(): void {
    const news = this.#news;
    this.#news = Promise.withResolvers<void>();
    news.resolve();
  }

  close(): void {
    this.#over = true;
    this.#rest.resolve();
    this.#wake();
  }
}

/** What the events of the task's newest run tell by now. */
export async function readNewestRun({ log, runs }: Pick<Deployment, "log" | "runs">, task: KnownTask): Promise<Heard> {
  const runId = newestRun(task);
  const run = await runs.get(runId);
  const at = run?.updated_at ?? task.status_at;
  let heard = beginRun(task);
  let seen = -1;
  for (let batch = await log.read(runId, seen); batch.length > 0; batch = await log.read(runId, seen)) {
    for (const event of batch) heard = hear(heard, event, at);
    seen = batch.at(-1)?.id ?? seen;
  }
  return endAfter(heard, run, at) ?? heard;
}

function encode(dialect: Dialect, update: TaskUpdate): string {
  return JSON.stringify(renderings[dialect].update(update));
}

async function unlessAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return await promise;
  if (signal.aborted) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const abort = (): void => resolve();
  signal.addEventListener("abort", abort, { once: true });
  await Promise.race([promise, aborted]);
  signal.removeEventListener("abort", abort);
}
