import { ViewportPortal } from "@xyflow/react";
import { memo } from "react";
import type { Arrow, GraphLayout } from "#lib/rules/graphs/layout.ts";
import { arrowHead, pathThrough } from "#lib/rules/graphs/line-path.ts";
import { useEdgeView } from "./canvas-context.ts";

/** Draws all edges in one picture: above the backgrounds of opened subgraphs and below the nodes. */
export const EdgeLayer = memo(function EdgeLayer({ layout }: { layout: GraphLayout }) {
  return (
    <ViewportPortal>
      <svg
        aria-hidden
        width={layout.width}
        height={layout.height}
        className="pointer-events-none absolute top-0 left-0 z-1 overflow-visible"
      >
        {layout.arrows.map((arrow) => (
          <Line key={arrow.id} arrow={arrow} />
        ))}
      </svg>
      {layout.arrows.map((arrow) => (arrow.label === undefined ? null : <Label key={arrow.id} arrow={arrow} />))}
    </ViewportPortal>
  );
});

const COLOUR = { taken: "stroke-ok", newest: "stroke-running", none: "stroke-ink-3/70" };
const FILL = { taken: "fill-ok", newest: "fill-running", none: "fill-ink-3" };

const Line = memo(function Line({ arrow }: { arrow: Arrow }) {
  const view = useEdgeView(arrow);
  const path = pathThrough(arrow.points);
  const look = view ?? "none";
  return (
    <g data-edge={view ?? "idle"} fill="none" strokeWidth={view ? 2 : 1.5}>
      <path
        d={path}
        className={`group-data-far/canvas:[stroke-dasharray:none] ${COLOUR[look]}`}
        strokeDasharray={arrow.conditional ? "5 4" : undefined}
      />
      {view === "newest" ? (
        <path d={path} pathLength={1} strokeDasharray="1" className="stroke-running motion-safe:animate-draw" />
      ) : null}
      <path d={arrowHead(arrow.points)} className={`group-data-far/canvas:hidden ${FILL[look]}`} />
    </g>
  );
});

function Label({ arrow: { label = "", labelAt } }: { arrow: Arrow }) {
  return (
    <div
      title={label}
      style={{ transform: `translate(-50%, -50%) translate(${labelAt.x}px, ${labelAt.y}px)` }}
      className="absolute top-0 left-0 z-1 max-w-72 truncate rounded-key bg-surface px-1 text-small whitespace-pre text-ink-2 group-data-far/canvas:hidden"
    >
      {label}
    </div>
  );
}
