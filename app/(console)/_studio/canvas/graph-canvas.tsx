"use client";

import { ReactFlowProvider } from "@xyflow/react";
import { useLayoutEffect, useMemo, useState } from "react";
import { inWords } from "#lib/rules/graphs/graph-words.ts";
import { levelsOf } from "#lib/rules/graphs/levels.ts";
import { subgraphPaths } from "#lib/rules/graphs/nested.ts";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Canvas, type CanvasContext, createCanvas } from "./canvas-context.ts";
import { CanvasFlow } from "./canvas-flow.tsx";
import type { GraphCanvasProps } from "./canvas-props.ts";
import { useLayout } from "./use-layout.ts";

/** The graph of the Studio: what a run does is shown at its nodes, and subgraphs open in place. */
export function GraphCanvas(props: GraphCanvasProps) {
  const { ref, name, drawing, outline, open } = props;
  const level = useMemo(() => levelsOf(drawing, outline), [drawing, outline]);
  const paths = useMemo(() => subgraphPaths(level), [level]);
  const layout = useLayout(level, open);
  const context = useCanvasContext(props);
  const allOpen = paths.every((path) => open.has(path));
  const openAll = () => {
    context.actions.fitNext();
    if (props.onOpen) return props.onOpen(new Set(allOpen ? [] : paths));
    for (const path of paths) if (open.has(path) === allOpen) props.onToggle(path);
  };
  if (!layout) return <Skeleton className="size-full rounded-none" />;
  return (
    <figure aria-label={`Graph ${name}`} className="relative size-full">
      <figcaption className="sr-only">{inWords(layout)}</figcaption>
      <Canvas value={context}>
        <ReactFlowProvider>
          <CanvasFlow
            ref={ref}
            graph={drawing}
            layout={layout}
            level={level}
            subgraphs={paths.length}
            allOpen={allOpen}
            onAll={openAll}
          />
        </ReactFlowProvider>
      </Canvas>
    </figure>
  );
}

/** Returns a canvas that stays the same, with the state and the callbacks of these props. */
function useCanvasContext({ run, selected, breakpoints, search = "", ...props }: GraphCanvasProps): CanvasContext {
  const { onSelect, onToggle, onBreakpoint } = props;
  const [canvas] = useState(() => createCanvas({ onSelect, onToggle, onBreakpoint }));
  useLayoutEffect(() => {
    canvas.actions.call({ onSelect, onToggle, onBreakpoint });
  }, [canvas, onSelect, onToggle, onBreakpoint]);
  useLayoutEffect(() => {
    canvas.store.set({ run, selected, breakpoints, search });
  }, [canvas, run, selected, breakpoints, search]);
  return canvas;
}
