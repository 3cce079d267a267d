/** Refuses code that this server cannot isolate. */
import { Fault } from "../../protocol/faults.ts";
import { type CodeToIsolate, type IsolationFacts, refuseCode } from "../../rules/workers/isolation.ts";
import { isInPlace } from "../../rules/sources/in-place.ts";
import { StepFailure } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";

/** Checks code before it is built or started. Throws `StepFailure`. */
export function requireIsolation(isolation: IsolationFacts, code: CodeToIsolate): void {
  const refusal = refuseCode(code, isolation);
  if (refusal) throw new StepFailure(refusal.message, { fix: refusal.fix });
}

const SHARED =
  "Servers that share a database serve the application that each was started for, and no other one yet. " +
  "Deploy this on a server that was started without GRAPHLIB_ROLES";

/** Checks code that a caller wants to deploy. Faults: `forbidden`. */
export function admitCode({ isolation, lease }: Pick<ControlPlane, "isolation" | "lease">, code: CodeToIsolate): void {
  if (lease && !isInPlace(code.source)) throw new Fault("forbidden", SHARED);
  const refusal = refuseCode(code, isolation);
  if (refusal) throw new Fault("forbidden", `${refusal.message}. ${refusal.fix}`);
}
