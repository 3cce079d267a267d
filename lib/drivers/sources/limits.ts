import { StepFailure } from "../../engine/ports/builds.ts";
import { grouped } from "../../rules/text/counted.ts";
import { sizeText } from "../usage.ts";

/** The limits of one source. */
export interface SourceLimits {
  /** Bytes on the disk. */
  bytes: number;
  /** The number of files, folders and links. */
  entries: number;
}

export const SOURCE_LIMITS: SourceLimits = { bytes: 2 * 1024 ** 3, entries: 100_000 };

/** Returns a function that counts an entry of some size. It throws `StepFailure` beyond a limit. */
export function createSourceCounter(what: string, limits: SourceLimits): (bytes: number) => void {
  let bytes = 0;
  let entries = 0;
  return (more) => {
    bytes += more;
    entries += 1;
    if (bytes > limits.bytes) {
      const fix = "Keep large files out of it, such as models, data and built packages";
      throw new StepFailure(`${what} holds more than ${sizeText(limits.bytes)}`, { fix });
    }
    if (entries > limits.entries) {
      const fix = "Keep installed packages and generated files out of it";
      throw new StepFailure(`${what} holds more than ${grouped(limits.entries)} files`, { fix });
    }
  };
}
