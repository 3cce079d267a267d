import { GitSource } from "../../protocol/sources.ts";
import { readPageAddress, splitPage } from "./page-address.ts";

/** Returns whether the repository's refs are needed to find where the ref ends and the folder begins. */
export function needsRefs({ url, ref }: GitSource): boolean {
  return ref === undefined && (readPageAddress(url)?.path.length ?? 0) > 1;
}

/**
 * Splits the page URL of a source into repository, ref and folder. Returns other sources unchanged, and those whose parts
 * are invalid.
 */
export function settledSource(source: GitSource, refs: ReadonlySet<string> = new Set()): GitSource {
  const parsed = GitSource.safeParse(splitPage(source, refs));
  return parsed.success ? parsed.data : source;
}
