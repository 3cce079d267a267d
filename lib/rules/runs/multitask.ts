import type { CancelAction, MultitaskStrategy } from "../../protocol/runs.ts";

export const BUSY = "Thread is already running a task. Wait for it to finish or choose a different multitask strategy.";

export const ANSWERED = "Thread does not wait for this any more: it was answered, or went on without an answer.";

/** What every strategy does where other runs of the thread have not ended. */
export const multitask: Record<MultitaskStrategy, { refuses: boolean; cancels: CancelAction | null }> = {
  /** The new run is refused. */
  reject: { refuses: true, cancels: null },
  /** It waits behind them. */
  enqueue: { refuses: false, cancels: null },
  /** They end, and it goes on from where they stopped. */
  interrupt: { refuses: false, cancels: "interrupt" },
  /** They end, and what they did is undone. */
  rollback: { refuses: false, cancels: "rollback" },
};
