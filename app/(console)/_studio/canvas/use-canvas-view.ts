import { useReactFlow, useStoreApi } from "@xyflow/react";
import { type Ref, type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef } from "react";
import type { GraphDrawing } from "#lib/protocol/assistants.ts";
import type { Box, GraphLayout } from "#lib/rules/graphs/layout.ts";
import { drawnBox } from "#lib/rules/graphs/moves.ts";
import { useCanvas } from "./canvas-context.ts";
import type { CanvasHandle } from "./canvas-props.ts";
import type { BoxNode } from "./node-view.tsx";
import { pictureOf, pngOf } from "./export-picture.ts";
import { type FittedView, READABLE } from "./use-fitted-view.ts";

const MOVE_MS = 160;

/** Returns what the page can ask of the canvas, and gives it to `ref`. */
export function useCanvasHandle(
  ref: Ref<CanvasHandle> | undefined,
  root: RefObject<HTMLDivElement | null>,
  layout: GraphLayout,
  fit: FittedView["fit"],
): CanvasHandle {
  const flow = useReactFlow<BoxNode, never>();
  const { getState } = useStoreApi();
  const { store } = useCanvas();
  const newest = useRef(layout);
  useEffect(() => {
    newest.current = layout;
  }, [layout]);
  const handle = useMemo((): CanvasHandle => {
    const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
    return {
      fit: () => fit(still() ? 0 : MOVE_MS),
      focusNode(path) {
        const box = drawnBox(newest.current.boxes, path);
        if (!box) return;
        const { width, height, transform } = getState();
        const [left, top, zoom] = transform;
        const [x, y] = [box.x * zoom + left, box.y * zoom + top];
        // The name of a container stands at its top, so that is what has to be seen.
        const [wide, tall] = [box.width * zoom, (box.kind === "container" ? 44 : box.height) * zoom];
        const isSeen = x >= 0 && y >= 0 && x + Math.min(wide, width) <= width && y + tall <= height - 56;
        if (!isSeen || zoom < 0.3) {
          const at = { x: box.x + box.width / 2, y: box.y + (box.kind === "container" ? 22 : box.height / 2) };
          void flow.setCenter(at.x, at.y, { zoom: Math.max(zoom, READABLE), duration: still() ? 0 : MOVE_MS });
        }
        focusSoon(root, box.id);
      },
      exportSvg: () => pictureOf(newest.current, store, root.current),
      exportPng: () => pngOf(newest.current, store, root.current),
    };
  }, [flow, getState, root, store, fit]);
  useImperativeHandle(ref, () => handle, [handle]);
  return handle;
}

/** A node that was outside of the view is rendered some frames later. */
function focusSoon(root: RefObject<HTMLDivElement | null>, path: string, frames = 30): void {
  const node = root.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(path)}"]`);
  if (node) node.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusSoon(root, path, frames - 1));
}

/**
 * Keeps the view where it is while subgraphs open and close: the one that was toggled stays in its place, or the node
 * nearest to the middle. Another graph is fitted into the view, and so is one whose subgraphs all open or
 * close.
 */
export function useSteadyView(graph: GraphDrawing, layout: GraphLayout, show: FittedView["show"]): void {
  const flow = useReactFlow<BoxNode, never>();
  const { getState } = useStoreApi();
  const { actions } = useCanvas();
  const before = useRef({ graph, layout });
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { graph, layout };
    if (old.layout === layout) return;
    if (actions.takeFit() || old.graph !== graph) return show(layout);
    const { width, height, transform } = getState();
    const [left, top, zoom] = transform;
    const now = new Map(layout.boxes.map((box) => [box.id, box]));
    const middle = { x: (width / 2 - left) / zoom, y: (height / 2 - top) / zoom };
    const last = actions.takeToggled();
    const distance = (box: Box) => (box.id === last ? -1 : Math.hypot(box.x - middle.x, box.y - middle.y));
    const kept = old.layout.boxes.filter(({ id }) => now.has(id)).toSorted((a, b) => distance(a) - distance(b))[0];
    const place = kept && now.get(kept.id);
    if (!kept || !place) return;
    void flow.setViewport({ x: left + (kept.x - place.x) * zoom, y: top + (kept.y - place.y) * zoom, zoom });
  }, [graph, layout, flow, getState, actions, show]);
}
