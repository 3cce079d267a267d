import type { Deployment } from "#lib/engine/ports/ports.ts";
import { isInPlace } from "#lib/rules/sources/in-place.ts";

export const SAMPLE = "default";

/** Returns whether a deployment is the application of this folder, which is served where no other one was given. */
export function isSample({ name, lifecycle: { source } }: Deployment): boolean {
  return name === SAMPLE && isInPlace(source) && source.path === process.cwd();
}
