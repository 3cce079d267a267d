import { MiniMap, type MiniMapNodeProps } from "@xyflow/react";
import { useNodeView } from "./canvas-context.ts";
import type { TaskStatus } from "#lib/rules/studio/run.ts";

const FILL: Record<TaskStatus, string> = {
  waiting: "fill-ink-3",
  running: "fill-running",
  done: "fill-ok",
  failed: "fill-bad",
  interrupted: "fill-waiting",
  cancelled: "fill-ink-3",
  unknown: "fill-ink-3",
};

/** A small picture of a large graph, in which a click or a drag moves the view. */
export function CanvasMinimap() {
  return (
    <MiniMap
      pannable
      zoomable
      ariaLabel="Overview of the graph"
      nodeComponent={MiniNode}
      position="top-right"
      // Below the search, and above the timeline and the controls.
      className="!top-11 !m-3 overflow-hidden rounded-card border border-line-strong max-sm:origin-top-right max-sm:scale-50"
      bgColor="var(--surface)"
      maskColor="color-mix(in srgb, var(--line) 60%, transparent)"
    />
  );
}

function MiniNode({ id, x, y, width, height }: MiniMapNodeProps) {
  const { run, selected } = useNodeView(id, id);
  const fill = selected ? "fill-accent" : run ? FILL[run.status] : "fill-ink-3/60";
  return <rect x={x} y={y} width={width} height={height} rx={8} className={fill} />;
}
