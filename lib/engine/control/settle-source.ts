import type { Credentials, Source } from "../../protocol/sources.ts";
import { needsRefs, settledSource } from "../../rules/sources/settled-source.ts";
import { isStepFailure } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";

/** The time limit for reading the refs of a repository, in ms. */
const REFS_MS = 20_000;

/**
 * Returns the source to store: the address of a repository page becomes repository, ref and folder. When the refs
 * cannot be read, the first part of the path is the ref, and the build reports what is wrong.
 */
export async function settleSource(
  { buildTools }: Pick<ControlPlane, "buildTools">,
  source: Source,
  credentials: Credentials | undefined,
): Promise<Source> {
  if (source.type !== "git") return source;
  if (!needsRefs(source)) return settledSource(source);
  const deadline = AbortSignal.timeout(REFS_MS);
  try {
    return (await buildTools.sources.fetchCached(source, credentials, deadline)).source ?? source;
  } catch (thrown) {
    if (!isStepFailure(thrown) && !deadline.aborted) throw thrown;
    return settledSource(source);
  }
}
