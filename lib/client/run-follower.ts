import type { Turn } from "../rules/threads/transcript.ts";
import type { ChatStore, ChatExchange } from "./chat-state.ts";
import { createTurnFold } from "./turn-fold.ts";
import type { FollowEnd } from "./follow-run.ts";
import { type RunToFollow, followToEnd } from "./follow-to-end.ts";
import type { ThreadApi } from "./threads.ts";

/** One hearing of one run. */
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
  /** A run has begun or ended. */
  readonly onChange: () => void;
}

export type RunFollower = ReturnType<typeof createRunFollower>;

/** Hears one run after the other, each into the last exchange of a conversation. */
export function createRunFollower({ base, thread, api, store, onChange }: RunFollowerOptions) {
  let now: FollowedRun | undefined;

  function cancel({ run, controller }: FollowedRun): void {
    // A server that does not hear it cannot tell how the run ends either.
    if (run !== undefined) api.cancel(thread, run).catch(() => controller.abort());
  }

  function begun(mine: FollowedRun, run: string): void {
    if (mine.run === run) return;
    mine.run = run;
    if (mine.stopped) cancel(mine);
    onChange();
  }

  return {
    async hear(before: readonly ChatExchange[], first: Turn, begin: RunToFollow): Promise<FollowEnd> {
      const mine: FollowedRun = { controller: new AbortController(), stopped: false };
      now = mine;
      // What was left has no place for it any more.
      const isHeard = (): boolean => now === mine;
      store.set({ exchanges: [...before, { turn: first }], reconnecting: false });
      const fold = createTurnFold(first, (turn) => {
        if (isHeard()) store.set({ exchanges: [...before, { turn }] });
      });
      const end = await followToEnd(base, thread, begin, {
        signal: mine.controller.signal,
        onEvent: fold.add,
        onRun: (run) => begun(mine, run),
        onLink: (connected) => {
          if (isHeard() && store.state().reconnecting === connected) store.set({ reconnecting: !connected });
        },
      });
      if (!isHeard()) return end;
      now = undefined;
      const turn = fold.finish();
      const isStopped = mine.stopped && turn.interrupts.length === 0 && !turn.error;
      store.set({ exchanges: [...before, { turn, end: isStopped ? { how: "stopped" } : end }], reconnecting: false });
      onChange();
      return end;
    },
    /** Ends the run; what it has told stays. */
    stop(): void {
      if (!now || now.stopped) return;
      now.stopped = true;
      cancel(now);
    },
    /** Stops listening. The run goes on. */
    leave(): void {
      now?.controller.abort();
      now = undefined;
    },
  };
}
