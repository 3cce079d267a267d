import { StepFailure } from "../../engine/ports/builds.ts";
import { diskFull } from "../../rules/sources/git-failure.ts";

/** What the file system says of a disk without room; undefined for anything else. */
export function diskFullFailure(error: unknown): StepFailure | undefined {
  const isFull = error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
  return isFull ? new StepFailure(diskFull.message, { fix: diskFull.fix }, error) : undefined;
}
