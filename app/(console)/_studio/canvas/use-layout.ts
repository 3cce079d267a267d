import { useEffect, useState } from "react";
import type { GraphLayout } from "#lib/rules/graphs/layout.ts";
import type { Level } from "#lib/rules/graphs/level.ts";
import { layoutLevels } from "#lib/rules/graphs/nested.ts";
import type { LayoutRequest } from "./layout-worker.ts";

/** A layout of more boxes and edges than this takes longer than a frame on a slow machine. */
const MOST_AT_ONCE = 150;

/**
 * Returns the layout of a graph with its opened subgraphs, and none at first: the first layout takes longest, because its
 * code is new to the browser, so a worker computes it. Later ones of small graphs come at once. Those of large graphs are
 * computed by a worker too, and the previous layout stays meanwhile.
 */
export function useLayout(level: Level, open: ReadonlySet<string>): GraphLayout | undefined {
  const [done, setDone] = useState<{ level: Level; open: ReadonlySet<string>; layout: GraphLayout }>();
  const isDone = done?.level === level && done.open === open;
  const isSmall = sizeOf(level, open) <= MOST_AT_ONCE;
  const small = done && !isDone && isSmall ? layoutLevels(level, open) : undefined;
  const isMissing = !isDone && !small;

  useEffect(() => {
    if (!isMissing) return undefined;
    return layoutInWorker({ level, open }, (layout) => setDone({ level, open, layout }));
  }, [level, open, isMissing]);

  return small ?? done?.layout;
}

/** Returns a function that ends the worker. */
function layoutInWorker(request: LayoutRequest, finish: (layout: GraphLayout) => void): () => void {
  const worker = new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<GraphLayout>) => {
    finish(data);
    worker.terminate();
  });
  // The page computes the layout itself if it cannot start a worker.
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    finish(layoutLevels(request.level, request.open));
  });
  worker.postMessage(request);
  return () => worker.terminate();
}

function sizeOf(level: Level, open: ReadonlySet<string>): number {
  let size = level.nodes.length + level.edges.size;
  for (const { path, inner } of level.nodes) if (inner && open.has(path)) size += sizeOf(inner, open);
  return size;
}
