import type { Guards } from "../../protocol/auth.ts";
import type { WorkerState } from "../../protocol/deployments.ts";
import type { RunEnding } from "../../engine/ports/run-end.ts";
import { Fault } from "../../protocol/faults.ts";
import type { RunError } from "../../protocol/stream.ts";
import type { LoadedAuth } from "../../protocol/worker.ts";

/** Faults: `unavailable`. */
export function notRunning(): never {
  throw new Fault("unavailable", "The deployment's worker is not running");
}

/** Returns the fault for a part of the application that did not load. Its message has no paths. */
export function notLoaded(part: string, why?: RunError): Fault {
  return new Fault(
    "unavailable",
    `The deployment's ${part} did not load${why ? `: ${why.error}: ${why.message}` : ""}`,
  );
}

/** Returns the guards. Faults: `unavailable` if they did not load, so that no request passes unchecked. */
export function loadedGuards(auth: LoadedAuth | undefined): Guards {
  if (auth && !("error" in auth)) return auth;
  throw notLoaded("auth module", auth?.error);
}

/**
 * Returns the ending of a run that was passed to a process in this state. Its process ended while the run was claimed, so
 * the run is executed later or by another server. One that was given up may never come back, and ends it with the reason.
 */
export function notBegun(state: WorkerState): RunEnding {
  const error = "WorkerUnavailable";
  if (state.status === "failed") return { status: "error", error: { error, message: state.reason }, events: [] };
  const message = "The worker process is not running";
  return { status: "error", error: { error, message }, events: [], lost: "stopped" };
}

/** Returns the error that a graph receives for a failed request. Internal errors are not disclosed to it. */
export function toHostError(thrown: unknown): RunError {
  const known = thrown instanceof Fault && thrown.code !== "internal";
  return { error: "HostError", message: known ? thrown.message : "The host could not answer" };
}
