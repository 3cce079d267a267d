import type { Credentials, Source } from "../../protocol/sources.ts";
import { needsRefs, settledSource } from "../../rules/sources/page-address.ts";
import { isStepFailure } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";

/** Time for asking a repository where a ref ends, in ms. */
const ASK_MS = 20_000;

/**
 * A source as it is stored: the address of a repository's page becomes repository, ref and folder. Where the repository
 * can't be asked, the first part is the ref, and the build says what is wrong.
 */
export async function settleSource(
  { buildTools }: Pick<ControlPlane, "buildTools">,
  source: Source,
  credentials: Credentials | undefined,
): Promise<Source> {
  if (source.type !== "git") return source;
  if (!needsRefs(source)) return settledSource(source);
  const deadline = AbortSignal.timeout(ASK_MS);
  try {
    const looked = await buildTools.sources.fetchCached(source, credentials, {
      signal: deadline,
      writeLine: () => undefined,
    });
    return looked.source ?? source;
  } catch (thrown) {
    if (!isStepFailure(thrown) && !deadline.aborted) throw thrown;
    return settledSource(source);
  }
}
