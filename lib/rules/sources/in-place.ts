import type { FolderSource, Source } from "../../protocol/sources.ts";

/** Returns whether a folder itself is served: nothing is copied, and a graph that does not load stops no other. */
export function isInPlace(source: Source): source is FolderSource {
  return source.type === "folder" && source.in_place === true;
}
