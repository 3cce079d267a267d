"use client";

import {
  BaseEdge,
  type Edge,
  EdgeLabelRenderer,
  type EdgeProps,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useReactFlow,
  ReactFlowProvider,
  Background,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import "./flow.css";
import { Maximize } from "lucide-react";
import { useMemo } from "react";
import type { Arrow, Box, GraphLayout } from "#lib/rules/graphs/layout.ts";
import { pathThrough } from "#lib/rules/graphs/line-path.ts";
import { IconButton } from "../_ui/button.tsx";
import { ZoomButtons } from "./zoom-buttons.tsx";

type BoxNode = Node<{ box: Box }, "box">;
type ArrowEdge = Edge<{ arrow: Arrow }, "arrow">;

const NODE_TYPES = { box: BoxView };
const EDGE_TYPES = { arrow: ArrowView };
// The bottom padding leaves space for the controls.
const FIT = { padding: { x: "16px", top: "16px", bottom: "56px" }, maxZoom: 1.15 } as const;

/** Draws a graph whose layout was computed before. Its nodes cannot be moved. */
export default function Flow({ layout }: { layout: GraphLayout }) {
  const { nodes, edges } = useMemo(() => elementsOf(layout), [layout]);
  // On a touch screen, dragging scrolls the page and does not pan the graph.
  const fine = useMemo(() => matchMedia("(pointer: fine)").matches, []);
  return (
    <ReactFlowProvider>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        fitView
        fitViewOptions={FIT}
        minZoom={0.2}
        maxZoom={2}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        panOnDrag={fine}
        preventScrolling={false}
        zoomOnScroll={false}
        zoomOnDoubleClick={false}
      >
        <Background gap={24} size={1.5} color="var(--line-strong)" />
      </ReactFlow>
      <Controls />
    </ReactFlowProvider>
  );
}

function elementsOf(layout: GraphLayout): { nodes: BoxNode[]; edges: ArrowEdge[] } {
  return {
    nodes: layout.boxes.map((box) => ({
      id: box.id,
      type: "box",
      position: { x: box.x, y: box.y },
      width: box.width,
      height: box.height,
      data: { box },
    })),
    edges: layout.arrows.map((arrow) => ({
      id: arrow.id,
      type: "arrow",
      source: arrow.source,
      target: arrow.target,
      markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: "var(--ink-3)" },
      data: { arrow },
    })),
  };
}

function BoxView({ data: { box } }: NodeProps<BoxNode>) {
  const shape = box.kind === "step" ? "rounded-card font-medium" : "rounded-full text-ink-2";
  return (
    <div
      title={box.label}
      className={`flex size-full items-center justify-center border-[1.5px] border-line-strong bg-raised px-4 ${shape}`}
    >
      <Handle type="target" position={Position.Top} className="invisible" />
      <span className="truncate">{box.label}</span>
      <Handle type="source" position={Position.Bottom} className="invisible" />
    </div>
  );
}

function ArrowView({ id, data, markerEnd }: EdgeProps<ArrowEdge>) {
  if (!data) return null;
  const { points, conditional, label, labelAt } = data.arrow;
  return (
    <>
      <BaseEdge
        id={id}
        path={pathThrough(points)}
        markerEnd={markerEnd}
        style={{ stroke: "var(--ink-3)", strokeWidth: 1.5, strokeDasharray: conditional ? "5 4" : undefined }}
      />
      {label ? (
        <EdgeLabelRenderer>
          <div
            style={{ transform: `translate(-50%, -50%) translate(${labelAt.x}px, ${labelAt.y}px)` }}
            className="absolute rounded-key bg-surface px-1 text-small text-ink-2"
          >
            {label}
          </div>
        </EdgeLabelRenderer>
      ) : null}
    </>
  );
}

function Controls() {
  const { fitView } = useReactFlow();
  const classes = "border border-line bg-raised";
  return (
    <div className="absolute bottom-3 left-3 z-5 flex gap-1.5">
      <ZoomButtons className={classes} />
      <IconButton label="Fit" className={classes} onClick={() => void fitView({ ...FIT, duration: 140 })}>
        <Maximize />
      </IconButton>
    </div>
  );
}
