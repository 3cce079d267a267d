import type { RunStatus } from "../protocol/runs.ts";

export const BUSY = "Thread is already running a task. Wait for it to finish or choose a different multitask strategy.";

/** What a thread shows when a run of it ended (spec/runs-api.md 6.3). */
export function threadStatusAfter(
  ended: RunStatus,
  { waiting, inFlight }: { waiting: boolean; inFlight: number },
): "idle" | "busy" | "interrupted" | "error" {
  if (ended === "error" || ended === "timeout") return "error";
  if (waiting) return "interrupted";
  return inFlight > 0 ? "busy" : "idle";
}
