import type { Guards } from "../../protocol/auth.ts";
import type { WorkerState } from "../../protocol/deployments.ts";
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

/** Returns why a run cannot be executed. */
export function unavailableIn(state: WorkerState): RunError {
  const message = state.status === "failed" ? state.reason : "The worker process is not running";
  return { error: "WorkerUnavailable", message };
}

/** Returns the error that a graph receives for a failed request. Internal errors are not disclosed to it. */
export function toHostError(thrown: unknown): RunError {
  const known = thrown instanceof Fault && thrown.code !== "internal";
  return { error: "HostError", message: known ? thrown.message : "The host could not answer" };
}
