/** Computes layouts beside the page, which stays usable meanwhile. */
import type { Level } from "#lib/rules/graphs/level.ts";
import { layoutLevels } from "#lib/rules/graphs/nested.ts";

export interface LayoutRequest {
  level: Level;
  open: ReadonlySet<string>;
}

addEventListener("message", ({ data }: MessageEvent<LayoutRequest>) => {
  postMessage(layoutLevels(data.level, data.open));
});
