/** Refuses code that nothing on this server would hold. */
import { Fault } from "../../protocol/faults.ts";
import { type CodeToIsolate, refuseCode } from "../../rules/workers/isolation.ts";
import { StepFailure } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";

/** For a build. Throws `StepFailure`. */
export function requireIsolation({ grounds }: Pick<ControlPlane, "grounds">, code: CodeToIsolate): void {
  const refusal = refuseCode(code, grounds);
  if (refusal) throw new StepFailure(refusal.message, { fix: refusal.fix });
}

/** For a caller. Faults: `forbidden`. */
export function admitCode({ grounds }: Pick<ControlPlane, "grounds">, code: CodeToIsolate): void {
  const refusal = refuseCode(code, grounds);
  if (refusal) throw new Fault("forbidden", `${refusal.message}. ${refusal.fix}`);
}
