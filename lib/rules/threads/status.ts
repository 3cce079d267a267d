import type { RunEnd } from "../../protocol/stream.ts";
import type { ThreadStatus } from "../../protocol/threads.ts";

/** The situation of a thread when a run of it has ended. The first of these that is true counts. */
export const threadActivities = [
  /** The run never began, and other runs have not ended. */
  "goes_on",
  /** Nodes wait for a person. */
  "waits",
  /** Other runs have not ended. */
  "is_queued",
  "rests",
] as const;
type ThreadActivity = (typeof threadActivities)[number];

const FAILED = { goes_on: "busy", waits: "error", is_queued: "error", rests: "error" } as const;
const WENT_WELL = { goes_on: "busy", waits: "interrupted", is_queued: "busy", rests: "idle" } as const;

/** The status of a thread after each end of a run of it. A failed run shows as `error`, unless it never began. */
export const statusAfterRun: Record<RunEnd["status"], Record<ThreadActivity, ThreadStatus>> = {
  success: WENT_WELL,
  interrupted: WENT_WELL,
  error: FAILED,
  timeout: FAILED,
};

/** Returns the status of a thread after a run of it. A run that never began changes nothing for the others. */
export function threadStatusAfter(
  ended: RunEnd["status"],
  { waiting, inFlight, begun }: { waiting: boolean; inFlight: number; begun: boolean },
): ThreadStatus {
  const standing = !begun && inFlight > 0 ? "goes_on" : waiting ? "waits" : inFlight > 0 ? "is_queued" : "rests";
  return statusAfterRun[ended][standing];
}

/** The status of a thread whose state was changed by hand; null if it stays, because runs have not ended. */
export const statusAfterChange: Record<ThreadStatus, Record<"waits" | "rests", ThreadStatus | null>> = {
  idle: { waits: "interrupted", rests: "idle" },
  busy: { waits: null, rests: null },
  interrupted: { waits: "interrupted", rests: "idle" },
  error: { waits: "interrupted", rests: "idle" },
};
