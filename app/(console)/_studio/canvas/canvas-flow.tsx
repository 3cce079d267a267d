import { Background, ReactFlow, useStore } from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import "../../_graph/flow.css";
import { memo, type Ref, useLayoutEffect, useMemo, useRef } from "react";
import type { GraphDrawing } from "#lib/protocol/assistants.ts";
import type { Arrow, Box, GraphLayout } from "#lib/rules/graphs/layout.ts";
import type { Level, LevelNode } from "#lib/rules/graphs/level.ts";
import { useCanvas, useIsTabStopShown } from "./canvas-context.ts";
import { CanvasControls } from "./canvas-controls.tsx";
import { CanvasMinimap } from "./canvas-minimap.tsx";
import type { CanvasHandle } from "./canvas-props.ts";
import { EdgeLayer } from "./edge-layer.tsx";
import { type BoxNode, BoxView } from "./node-view.tsx";
import { useCanvasHandle, useSteadyView } from "./use-canvas-view.ts";
import { useCanvasKeys } from "./use-canvas-keys.ts";
import { type FittedView, useFittedView } from "./use-fitted-view.ts";

const NODE_TYPES = { box: BoxView };
const NO_EDGES: never[] = [];
/** Above this number, nodes outside of the view are not in the page. */
const MOST_RENDERED = 100;
const MINIMAP_ABOVE = 30;
/** Below this zoom no text can be read, and none is painted. */
const LEAST_READ = 0.22;

interface Props {
  ref: Ref<CanvasHandle> | undefined;
  graph: GraphDrawing;
  layout: GraphLayout;
  level: Level;
  subgraphs: number;
  allOpen: boolean;
  onAll: () => void;
}

export function CanvasFlow({ ref, graph, layout, level, subgraphs, allOpen, onAll }: Props) {
  const { actions, store } = useCanvas();
  useLayoutEffect(() => store.tabStop.draw(layout), [store, layout]);
  const root = useRef<HTMLDivElement>(null);
  const { show, fit } = useFittedView(layout);
  const view = useCanvasHandle(ref, root, layout, fit);
  useSteadyView(graph, layout, show);
  const onKeyDown = useCanvasKeys(layout, view);
  const isFar = useStore(({ transform }) => transform[2] < LEAST_READ);
  return (
    // The keys work wherever the focus is inside; the nodes are buttons.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={root}
      // A click on the empty canvas leaves the keys to it.
      tabIndex={-1}
      data-far={isFar || undefined}
      className="group/canvas size-full outline-none"
      onKeyDown={onKeyDown}
    >
      <DistantTabStop focusNode={view.focusNode} />
      <Flow layout={layout} level={level} select={actions.select} show={show} />
      <CanvasControls fit={view.fit} subgraphs={subgraphs} allOpen={allOpen} onAll={onAll} />
    </div>
  );
}

/** Takes the place of the node that Tab goes to while that is out of view and not in the page, and leads there. */
function DistantTabStop({ focusNode }: Pick<CanvasHandle, "focusNode">) {
  const { store } = useCanvas();
  if (useIsTabStopShown()) return null;
  const go = (): void => {
    const stop = store.tabStop.path();
    if (stop !== undefined) focusNode(stop);
  };
  return (
    <button type="button" className="sr-only" onFocus={go} onClick={go}>
      To the nodes of the graph
    </button>
  );
}

/** Rendered again only for another layout: what a run changes, the nodes and edges see for themselves. */
const Flow = memo(function Flow({
  layout,
  level,
  select,
  show,
}: {
  layout: GraphLayout;
  level: Level;
  select: (path: string | undefined) => void;
  show: FittedView["show"];
}) {
  const nodes = useMemo(() => nodesOf(layout, level), [layout, level]);
  return (
    <ReactFlow
      nodes={nodes}
      edges={NO_EDGES}
      nodeTypes={NODE_TYPES}
      onInit={() => show(layout)}
      minZoom={0.03}
      maxZoom={2}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      zoomOnDoubleClick={false}
      attributionPosition="bottom-right"
      deleteKeyCode={null}
      selectionKeyCode={null}
      disableKeyboardA11y
      onlyRenderVisibleElements={nodes.length > MOST_RENDERED}
      onPaneClick={() => select(undefined)}
    >
      <Background gap={28} size={1.5} color="var(--line-strong)" />
      <EdgeLayer layout={layout} />
      {nodes.length > MINIMAP_ABOVE ? <CanvasMinimap /> : null}
    </ReactFlow>
  );
});

function nodesOf({ boxes, arrows }: GraphLayout, level: Level): BoxNode[] {
  const hints = new Map<string, string>();
  collectHints(level, hints);
  const isEnd = ({ kind }: Box) => kind === "start" || kind === "end";
  const joined = new Map(boxes.filter(isEnd).map(({ id }): [string, Arrow[]] => [id, []]));
  for (const arrow of arrows) for (const end of [arrow.source, arrow.target]) joined.get(end)?.push(arrow);
  return boxes.map((box) => ({
    id: box.id,
    type: "box",
    position: { x: box.x, y: box.y },
    width: box.width,
    height: box.height,
    zIndex: box.kind === "container" ? 0 : 2,
    data: {
      box,
      hint: hints.get(box.id) ?? "",
      joined: joined.get(box.id) ?? [],
    },
  }));
}

/** Collects the second line of nodes that no run has reached. */
function collectHints(level: Level, hints: Map<string, string>): void {
  for (const node of level.nodes) {
    hints.set(node.path, hintOf(node));
    if (node.inner) collectHints(node.inner, hints);
  }
}

function hintOf({ inner }: LevelNode): string {
  if (!inner) return "";
  const steps = inner.nodes.filter(({ kind }) => kind === "step").length;
  return steps === 1 ? "1 node" : `${steps} nodes`;
}
