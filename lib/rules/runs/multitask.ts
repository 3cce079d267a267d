import type { CancelAction, MultitaskStrategy } from "../../protocol/runs.ts";

export const BUSY = "Thread is already running a task. Wait for it to finish or choose a different multitask strategy.";

export const ANSWERED = "Thread does not wait for this any more: it was answered, or went on without an answer.";

/** The effect of each strategy when other runs of the thread have not ended. */
export const multitask: Record<MultitaskStrategy, { refuses: boolean; cancels: CancelAction | null }> = {
  /** The new run is refused. */
  reject: { refuses: true, cancels: null },
  /** The new run waits for them. */
  enqueue: { refuses: false, cancels: null },
  /** They are cancelled, and the new run continues where they stopped. */
  interrupt: { refuses: false, cancels: "interrupt" },
  /** They are cancelled, and their effects are undone. */
  rollback: { refuses: false, cancels: "rollback" },
};
