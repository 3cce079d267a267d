import { Fault } from "../../protocol/faults.ts";
import type { PreflightAnswer, PreflightRequest } from "../../protocol/preflight.ts";
import { settledSource } from "../../rules/sources/settled-source.ts";
import { isStepFailure } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";

/** The time limit of a preflight, in ms. */
const LIMIT_MS = 60_000;

/**
 * Checks a source without installing or running anything of it. A source that cannot be read is a finding too. Faults:
 * `unavailable` when it takes too long.
 */
export async function preflight(
  { buildTools }: ControlPlane,
  { source, credentials, variables }: PreflightRequest,
  signal: AbortSignal,
): Promise<PreflightAnswer> {
  const deadline = AbortSignal.timeout(LIMIT_MS);
  const either = AbortSignal.any([signal, deadline]);
  try {
    const fetched = await buildTools.sources.fetchCached(source, credentials, either);
    const report = await buildTools.preflight(fetched, variables, either);
    return { ...report, commit: fetched.commit ?? null, source: fetched.source ?? source };
  } catch (thrown) {
    if (deadline.aborted) throw new Fault("unavailable", `The source could not be read within ${LIMIT_MS / 1000} s`);
    if (!isStepFailure(thrown)) throw thrown;
    const finding = { level: "error" as const, message: thrown.message, ...thrown.details };
    const nothing = { config_file: null, graphs: [], packages: null, node: "", variables: [], commit: null };
    const settled = source.type === "git" ? settledSource(source) : source;
    return { ok: false, ...nothing, source: settled, findings: [finding] };
  }
}
