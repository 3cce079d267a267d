import { StepFailure } from "../../engine/ports/builds.ts";
import { diskFull } from "../../rules/sources/git-failure.ts";

/** Returns a failure for an error of the file system that says the disk is full; undefined for any other error. */
export function diskFullFailure(error: unknown): StepFailure | undefined {
  const isFull = error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
  return isFull ? new StepFailure(diskFull.message, { fix: diskFull.fix }, error) : undefined;
}
