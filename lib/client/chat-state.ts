import { createEmitter } from "../rules/emitter.ts";
import type { Turn } from "../rules/threads/transcript.ts";
import type { FollowEnd } from "./follow-run.ts";

/** A turn, and how its run ended. `end` is absent while it runs. */
export interface ChatExchange {
  readonly turn: Turn;
  readonly end?: FollowEnd;
}

export interface ChatState {
  readonly exchanges: readonly ChatExchange[];
  readonly running: boolean;
  /** `gone`: the thread has been deleted. `failed`: it could not be read. */
  readonly thread: "loading" | "here" | "gone" | "failed";
  /** The reason why the thread could not be read. */
  readonly reason?: string;
  /** The run continues, but its events do not arrive at the moment. */
  readonly reconnecting: boolean;
}

export type ChatStore = ReturnType<typeof chatStore>;

export function chatStore(isNew: boolean) {
  let current: ChatState = { exchanges: [], running: false, thread: isNew ? "here" : "loading", reconnecting: false };
  const changes = createEmitter();
  return {
    state: (): ChatState => current,
    set(change: Partial<Omit<ChatState, "running">>): void {
      const next = { ...current, ...change };
      current = { ...next, running: next.exchanges.some((one) => !one.end) };
      changes.emit();
    },
    /** Calls the listener after every change. Returns a function that unsubscribes it. */
    subscribe: (listener: () => void) => changes.on(listener),
  };
}
