import { createEmitter } from "../rules/emitter.ts";
import type { Fork, ForkPlace } from "../rules/threads/branches.ts";
import type { Turn } from "../rules/threads/transcript.ts";
import type { FollowEnd } from "./follow-run.ts";
import type { Interruption } from "./follow-to-end.ts";

/** A turn, and how its run ended. `end` is absent while it runs. */
export interface ChatExchange {
  readonly turn: Turn;
  readonly end?: FollowEnd;
}

/** A fork of the thread, and the place in the conversation where its branches part. */
export interface ShownFork extends Fork, ForkPlace {}

/** Another client `answered` an interrupt, or `replaced` it by another run; or an answer of this page came too `late`. */
export type Passed = "answered" | "replaced" | "late";

export interface ChatState {
  readonly exchanges: readonly ChatExchange[];
  readonly running: boolean;
  /** `gone`: the thread has been deleted. `failed`: it could not be read. */
  readonly thread: "loading" | "here" | "gone" | "failed";
  /** The reason why the thread could not be read. */
  readonly reason?: string;
  /** The checkpoint that is shown and that the next message continues; absent for the newest. */
  readonly checkpoint?: string;
  /** Absent until they have been read. */
  readonly forks?: readonly ShownFork[];
  /** The newest checkpoint of the thread; absent while it is not known. */
  readonly newest?: string;
  /** Tells what another client did with the questions that were open here. */
  readonly passed?: Passed | undefined;
  /** Why the events of a run do not arrive at the moment. The run continues. */
  readonly interruption?: Interruption;
}

export type ChatStore = ReturnType<typeof chatStore>;

export function chatStore(isNew: boolean, checkpoint?: string) {
  let current: ChatState = { exchanges: [], running: false, thread: isNew ? "here" : "loading", checkpoint };
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
