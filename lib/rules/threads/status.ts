import type { RunEnd } from "../../protocol/stream.ts";
import type { ThreadStatus } from "../../protocol/threads.ts";

/** How a thread stands when a run of it has ended: the first of these that is true. */
export const threadStandings = [
  /** The run has never begun, and others have not ended. */
  "goes_on",
  /** A person has to let nodes go on. */
  "waits",
  /** Other runs have not ended. */
  "is_queued",
  "rests",
] as const;
type ThreadStanding = (typeof threadStandings)[number];

const FAILED = { goes_on: "busy", waits: "error", is_queued: "error", rests: "error" } as const;
const WENT_WELL = { goes_on: "busy", waits: "interrupted", is_queued: "busy", rests: "idle" } as const;

/** The status of a thread after every end of a run of it: a failure is shown before anything else. */
export const statusAfterRun: Record<RunEnd["status"], Record<ThreadStanding, ThreadStatus>> = {
  success: WENT_WELL,
  interrupted: WENT_WELL,
  error: FAILED,
  timeout: FAILED,
};

/** Picks the status of a thread after a run of it; a run that never began changes nothing for the others. */
export function threadStatusAfter(
  ended: RunEnd["status"],
  { waiting, inFlight, begun }: { waiting: boolean; inFlight: number; begun: boolean },
): ThreadStatus {
  const standing = !begun && inFlight > 0 ? "goes_on" : waiting ? "waits" : inFlight > 0 ? "is_queued" : "rests";
  return statusAfterRun[ended][standing];
}

/** The status of a thread whose state was changed by hand; null where it stays, because runs have not ended. */
export const statusAfterChange: Record<ThreadStatus, Record<"waits" | "rests", ThreadStatus | null>> = {
  idle: { waits: "interrupted", rests: "idle" },
  busy: { waits: null, rests: null },
  interrupted: { waits: "interrupted", rests: "idle" },
  error: { waits: "interrupted", rests: "idle" },
};
