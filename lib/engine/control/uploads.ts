import { Fault } from "../../protocol/faults.ts";
import type { Upload } from "../../protocol/sources.ts";
import { isStepFailure } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";

/** Stores an archive as it arrives. Faults: `too_large`. */
export async function upload(
  { buildTools }: Pick<ControlPlane, "buildTools">,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Upload> {
  try {
    return await buildTools.sources.uploads.receive(body, signal);
  } catch (thrown) {
    if (isStepFailure(thrown)) throw new Fault("too_large", thrown.message, { cause: thrown });
    throw thrown;
  }
}
