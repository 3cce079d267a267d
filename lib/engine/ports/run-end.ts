/** How runs end. */
import type { NewEvent, RunEnd, RunError } from "../../protocol/stream.ts";
import type { ThreadEnd } from "../../protocol/threads.ts";
import type { Loss } from "../../rules/runs/state.ts";
import type { NewWebhook } from "./webhooks.ts";

export interface RunOutcome {
  status: RunEnd["status"];
  error?: RunError;
  /** End state of a threaded run, as far as it could be read. */
  thread?: ThreadEnd;
  /** The thread was created for the run, and is deleted with it unless other runs wait there. */
  discard?: boolean;
  /** JSON text of the last values of a run without a thread, when its webhook needs them. */
  values?: string;
  /** The webhook to deliver once the end is stored. */
  webhook?: NewWebhook;
  /** Returns why a change that the run had told could not be stored; undefined so far. Asked while the end is stored. */
  unstored?: () => RunError | undefined;
}

/** A run that was ended, with the runs that still wait on its thread. */
export interface FinishedRun {
  /** How many other runs of the thread have not ended: the next of them may be claimed now. */
  othersInFlight: number;
  /** Id of the last event, if its events are stored. */
  lastEvent: number;
}

/** The end of a run in the worker, with the events of the same message: they are stored together. */
export interface RunEnding extends RunOutcome {
  events: readonly NewEvent[];
  /** Set when the process that executed the run is gone, so that its progress is unknown. */
  lost?: Loss;
}
