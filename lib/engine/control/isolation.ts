/** Refuses code that this server cannot isolate. */
import { Fault } from "../../protocol/faults.ts";
import { type CodeToIsolate, type IsolationFacts, refuseCode } from "../../rules/workers/isolation.ts";
import { StepFailure } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";

/** Checks code before it is built or started. Throws `StepFailure`. */
export function requireIsolation(isolation: IsolationFacts, code: CodeToIsolate): void {
  const refusal = refuseCode(code, isolation);
  if (refusal) throw new StepFailure(refusal.message, { fix: refusal.fix });
}

/** Checks code that a caller wants to deploy. Faults: `forbidden`. */
export function admitCode({ isolation }: Pick<ControlPlane, "isolation">, code: CodeToIsolate): void {
  const refusal = refuseCode(code, isolation);
  if (refusal) throw new Fault("forbidden", `${refusal.message}. ${refusal.fix}`);
}
