import type { RunStatus } from "../../protocol/runs.ts";

export const BUSY = "Thread is already running a task. Wait for it to finish or choose a different multitask strategy.";

export const ANSWERED = "Thread does not wait for this any more: it was answered, or went on without an answer.";

/**
 * Status of a thread when one of its runs has ended (docs/api/runs.md#several-runs-on-a-thread). A run that never began
 * changes nothing for the others.
 */
export function threadStatusAfter(
  ended: RunStatus,
  { waiting, inFlight, begun }: { waiting: boolean; inFlight: number; begun: boolean },
): "idle" | "busy" | "interrupted" | "error" {
  if (!begun && inFlight > 0) return "busy";
  if (ended === "error" || ended === "timeout") return "error";
  if (waiting) return "interrupted";
  return inFlight > 0 ? "busy" : "idle";
}
