import type { FolderSource, Source } from "../../protocol/sources.ts";

/** Whether a folder itself is served: nothing is copied or installed, and what does not load keeps nothing else from it. */
export function isInPlace(source: Source): source is FolderSource {
  return source.type === "folder" && source.in_place === true;
}
