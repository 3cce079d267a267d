import { foldEvents, type Turn } from "../rules/threads/transcript.ts";
import type { ChatStore, ChatExchange } from "./chat-state.ts";
import { createBatchedFold } from "./batched-fold.ts";
import type { FollowEnd } from "./follow-run.ts";
import { type RunToFollow, followToEnd } from "./follow-to-end.ts";
import type { ThreadApi } from "./threads.ts";

/** A run that is followed. */
interface FollowedRun {
  readonly controller: AbortController;
  run?: string;
  stopped: boolean;
}

export interface RunFollowerOptions {
  readonly base: string;
  readonly thread: string;
  readonly api: ThreadApi;
  readonly store: ChatStore;
  /** Called with the id of each run, once it is known. */
  readonly onRun: (run: string) => void;
  /** Called when a run has begun or ended. */
  readonly onChange: () => void;
}

export type RunFollower = ReturnType<typeof createRunFollower>;

/** Follows one run after the other, and folds each into the last exchange of a conversation. */
export function createRunFollower({ base, thread, api, store, onRun, onChange }: RunFollowerOptions) {
  let current: FollowedRun | undefined;

  function cancel({ run, controller }: FollowedRun): void {
    // If the server cannot be reached to cancel the run, its events will not arrive either.
    if (run !== undefined) api.cancel(thread, run).catch(() => controller.abort());
  }

  function onRunKnown(own: FollowedRun, run: string): void {
    if (own.run === run) return;
    own.run = run;
    onRun(run);
    // The run writes the newest checkpoint, so the newest one is shown from now on.
    if (current === own) store.set({ checkpoint: undefined, newest: undefined });
    if (own.stopped) cancel(own);
    onChange();
  }

  return {
    async follow(before: readonly ChatExchange[], first: Turn, begin: RunToFollow): Promise<FollowEnd> {
      const own: FollowedRun = { controller: new AbortController(), stopped: false };
      current = own;
      // Nothing is shown of a run after `leave`, or after another run has taken its place.
      const isCurrent = (): boolean => current === own;
      store.set({ exchanges: [...before, { turn: first }], interruption: undefined });
      const fold = createBatchedFold(first, foldEvents, (turn) => {
        if (isCurrent()) store.set({ exchanges: [...before, { turn }] });
      });
      const end = await followToEnd(base, thread, begin, {
        signal: own.controller.signal,
        onEvent: fold.add,
        onRun: (run) => onRunKnown(own, run),
        onConnection: (interruption) => {
          if (isCurrent() && store.state().interruption !== interruption) store.set({ interruption });
        },
      });
      if (!isCurrent()) return end;
      current = undefined;
      const turn = fold.finish();
      const isStopped = own.stopped && turn.interrupts.length === 0 && !turn.error;
      const exchange: ChatExchange = { turn, end: isStopped ? { how: "stopped" } : end };
      store.set({ exchanges: [...before, exchange], interruption: undefined });
      onChange();
      return end;
    },
    /** Cancels the run. The events that have arrived stay. */
    stop(): void {
      if (!current || current.stopped) return;
      current.stopped = true;
      cancel(current);
    },
    /** Stops following the run, which continues. */
    leave(): void {
      current?.controller.abort();
      current = undefined;
    },
  };
}
