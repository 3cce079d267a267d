import { useReactFlow, useStoreApi } from "@xyflow/react";
import { useCallback, useEffect, useRef } from "react";
import type { GraphLayout } from "#lib/rules/graphs/layout.ts";
import type { BoxNode } from "./node-view.tsx";

/** The bottom padding leaves space for the controls and, on wide pages, for the timeline that floats above them. */
function fitOptions() {
  const bottom = matchMedia("(min-width: 64rem)").matches ? "124px" : "56px";
  return { padding: { x: "32px", top: "24px", bottom }, maxZoom: 1.15 } as const;
}

/** A node is read at this zoom or nearer. */
export const READABLE = 0.6;
/** A graph that has to be made smaller to fit is at first shown from its upper end. */
const LEAST_FIT = 0.25;

export interface FittedView {
  /** Shows all of a graph where that can be read, else its upper end. */
  show(layout: GraphLayout): void;
  /** Shows all of the graph. */
  fit(durationMs: number): void;
}

/** Fits a graph into the canvas, and again when the canvas has another size and nobody has moved the view since. */
export function useFittedView(layout: GraphLayout): FittedView {
  const flow = useReactFlow<BoxNode, never>();
  const { getState, subscribe } = useStoreApi();
  /** The view that was set last, and whether all of the graph was to be seen in it. */
  const fitted = useRef<{ readonly transform: string; readonly isWhole: boolean }>(undefined);
  const keep = useCallback(
    (isWhole: boolean): void => {
      fitted.current = { transform: String(getState().transform), isWhole };
    },
    [getState],
  );
  const fit = useCallback(
    async (durationMs: number): Promise<void> => {
      await flow.fitView({ ...fitOptions(), duration: durationMs });
      keep(true);
    },
    [flow, keep],
  );
  const show = useCallback(
    (shown: GraphLayout): void => {
      const { width, height } = getState();
      const zoom = Math.min((width - 64) / shown.width, (height - 96) / shown.height);
      const first = shown.boxes[0];
      if (zoom >= LEAST_FIT || !first) return void requestAnimationFrame(() => void fit(0));
      const x = width / 2 - (first.x + first.width / 2) * READABLE;
      void flow.setViewport({ x, y: 24 - first.y * READABLE, zoom: READABLE });
      keep(false);
    },
    [flow, getState, fit, keep],
  );
  const newest = useRef(layout);
  useEffect(() => {
    newest.current = layout;
  }, [layout]);
  useEffect(
    () =>
      subscribe(({ width, height, transform }, before) => {
        const isResized = width !== before.width || height !== before.height;
        if (!isResized || fitted.current?.transform !== String(transform)) return;
        if (fitted.current.isWhole) void fit(0);
        else show(newest.current);
      }),
    [subscribe, show, fit],
  );
  return { show, fit: useCallback((durationMs) => void fit(durationMs), [fit]) };
}
