import { createEmitter } from "../rules/emitter.ts";
import { beginTurn, foldEvents, interruptsOf, type Turn, turnsOf } from "../rules/threads/transcript.ts";
import { errorMessage } from "../rules/text/error-message.ts";
import { isObject } from "../protocol/json.ts";
import { followToEnd, type RunToFollow } from "./follow-to-end.ts";
import type { FollowEnd, RunRequest } from "./follow-run.ts";
import { type ThreadApi, threadApi } from "./threads.ts";
import { createBatchedFold } from "./batched-fold.ts";

/** A run of one assistant that is compared with another one. */
export interface VariantState {
  readonly phase: "none" | "running" | "done" | "waiting" | "failed" | "stopped";
  readonly turn: Turn;
  /** The state of the thread after the run. */
  readonly values?: unknown;
  /** Milliseconds until the run's end, and until the first text of a message. Absent after a reload. */
  readonly took?: number;
  readonly first?: number;
  readonly failure?: string;
}

const EMPTY: VariantState = { phase: "none", turn: beginTurn("", "", []) };

export interface VariantSettings {
  /** The path of the deployment's API. */
  readonly base: string;
  /** The `assistant_id` for requests. */
  readonly assistant: string;
}

/** The run that is followed. */
interface FollowedRun {
  readonly controller: AbortController;
  readonly thread: string;
  run?: string;
}

/** Runs an assistant on a thread of its own, and keeps what its run says and where it ends. */
export class VariantRun {
  readonly #settings: VariantSettings;
  readonly #api: ThreadApi;
  readonly #changes = createEmitter();
  #state = EMPTY;
  #current: FollowedRun | undefined;

  constructor(settings: VariantSettings) {
    this.#settings = settings;
    this.#api = threadApi(settings.base);
  }

  readonly state = (): VariantState => this.#state;
  readonly subscribe = (listener: () => void): (() => void) => this.#changes.on(listener);

  /** Runs on a new thread. */
  async start(thread: string, input: unknown): Promise<void> {
    const { assistant } = this.#settings;
    this.leave();
    this.#state = EMPTY;
    this.#set({ phase: "running" });
    try {
      await this.#api.create(thread, { assistant_id: assistant, title: "Compared" });
    } catch (error) {
      return this.#set({ phase: "failed", failure: errorMessage(error) });
    }
    await this.#follow(thread, { request: { ...REQUEST, assistant_id: assistant, input }, client: "studio" });
  }

  /** Shows what an earlier run on the thread has left, and follows it if it is still open. */
  async restore(thread: string): Promise<void> {
    try {
      const run = await this.#api.newestRun(thread);
      if (run?.status === "running" || run?.status === "pending") {
        this.#set({ phase: "running" });
        return await this.#follow(thread, { run: run.run_id });
      }
      const { values, tasks } = await this.#api.state(thread);
      const messages = isObject(values) ? turnsOf(values.messages).flatMap((turn) => turn.messages) : [];
      const phase = interruptsOf(tasks).length > 0 ? "waiting" : phaseOf(run?.status);
      this.#set({ phase, turn: { ...EMPTY.turn, messages }, values });
    } catch (error) {
      this.#set({ phase: "failed", failure: errorMessage(error) });
    }
  }

  /** Cancels the run. */
  stop(): void {
    const { thread, run } = this.#current ?? {};
    if (thread !== undefined && run !== undefined) this.#api.cancel(thread, run).catch(() => undefined);
  }

  /** Stops following; the run continues. */
  leave(): void {
    this.#current?.controller.abort();
    this.#current = undefined;
  }

  async #follow(thread: string, begin: RunToFollow): Promise<void> {
    const own: FollowedRun = { controller: new AbortController(), thread };
    this.#current = own;
    const isCurrent = (): boolean => this.#current === own;
    const started = performance.now();
    const fold = createBatchedFold(EMPTY.turn, foldEvents, (turn) => {
      if (!isCurrent()) return;
      const first = this.#state.first ?? firstText(turn, started);
      this.#set({ turn, ...("request" in begin && first !== undefined && { first }) });
    });
    const end = await followToEnd(this.#settings.base, thread, begin, {
      signal: own.controller.signal,
      onEvent: fold.add,
      onRun: (run) => (own.run = run),
      onConnection: () => {},
    });
    const took = performance.now() - started;
    const turn = fold.finish();
    if (!isCurrent()) return;
    this.#set({ turn, ...("request" in begin && { took }), ...endOf(end, turn) });
    try {
      const { values } = await this.#api.state(thread);
      if (isCurrent()) this.#set({ values });
    } catch {
      // A run that was refused has left no state.
    }
  }

  #set(change: Partial<VariantState>): void {
    this.#state = { ...this.#state, ...change };
    this.#changes.emit();
  }
}

const REQUEST: Omit<RunRequest, "assistant_id"> = {
  stream_mode: ["messages-tuple", "values"],
  // The events are stored, so that a page that is opened again receives all of them.
  stream_resumable: true,
  on_disconnect: "continue",
};

function firstText(turn: Turn, started: number): number | undefined {
  const at = turn.messages.find((one) => one.text !== "" && one.firstAt !== undefined)?.firstAt;
  return at === undefined ? undefined : at - started;
}

function phaseOf(status: string | undefined): VariantState["phase"] {
  if (status === "success") return "done";
  return status === "interrupted" ? "stopped" : status === undefined ? "none" : "failed";
}

function endOf(end: FollowEnd, turn: Turn): Pick<VariantState, "phase" | "failure"> {
  if (turn.error) return { phase: "failed", failure: `${turn.error.error}: ${turn.error.message}` };
  switch (end.how) {
    case "ended":
      return { phase: turn.interrupts.length > 0 ? "waiting" : "done" };
    case "stopped":
      return { phase: "stopped" };
    case "refused":
      return { phase: "failed", failure: end.message };
    case "lost":
      return { phase: "failed", failure: "The connection was lost." };
  }
}
