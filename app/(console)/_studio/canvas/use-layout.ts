import { useEffect, useState } from "react";
import type { GraphLayout } from "#lib/rules/graphs/layout.ts";
import type { Level } from "#lib/rules/graphs/level.ts";
import { layoutLevels } from "#lib/rules/graphs/nested.ts";
import type { LayoutRequest } from "./layout-worker.ts";

/** A layout of more boxes and edges than this takes longer than a frame on a slow machine. */
const MOST_AT_ONCE = 150;

/**
 * Returns the layout of a graph with its opened subgraphs. Large graphs are laid out by a worker: the previous layout
 * stays until the next is there, and there is none at first.
 */
export function useLayout(level: Level, open: ReadonlySet<string>): GraphLayout | undefined {
  const [done, setDone] = useState<{ level: Level; open: ReadonlySet<string>; layout: GraphLayout }>();
  const isSmall = sizeOf(level, open) <= MOST_AT_ONCE;
  const isDone = done?.level === level && done.open === open;

  useEffect(() => {
    if (isDone) return;
    const finish = (layout: GraphLayout) => setDone({ level, open, layout });
    if (isSmall) return finish(layoutLevels(level, open));
    return layoutInWorker({ id: 0, level, open }, finish);
  }, [level, open, isSmall, isDone]);

  // A small layout is computed while rendering too, so that there is no frame without one.
  if (isDone) return done.layout;
  return isSmall ? layoutLevels(level, open) : done?.layout;
}

/** Returns a function that ends the worker. */
function layoutInWorker(request: LayoutRequest, finish: (layout: GraphLayout) => void): () => void {
  const worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<{ layout: GraphLayout }>) => {
    finish(data.layout);
    worker.terminate();
  });
  // The page computes the layout itself if it cannot start a worker.
  worker.addEventListener("error", () => finish(layoutLevels(request.level, request.open)));
  worker.postMessage(request);
  return () => worker.terminate();
}

function sizeOf(level: Level, open: ReadonlySet<string>): number {
  let size = level.nodes.length + level.edges.size;
  for (const { path, inner } of level.nodes) if (inner && open.has(path)) size += sizeOf(inner, open);
  return size;
}
