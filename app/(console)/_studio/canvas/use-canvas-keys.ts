import type { KeyboardEvent } from "react";
import type { GraphLayout } from "#lib/rules/graphs/layout.ts";
import { type Direction, moveTo } from "#lib/rules/graphs/moves.ts";
import { useCanvas } from "./canvas-context.ts";
import type { CanvasHandle } from "./canvas-props.ts";

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map([
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
  ["ArrowLeft", "left"],
  ["ArrowRight", "right"],
  ["Home", "first"],
  ["End", "last"],
]);

/** Returns the handler of the keys that work while the focus is inside of the canvas. */
export function useCanvasKeys(layout: GraphLayout, { fit, focusNode }: Pick<CanvasHandle, "fit" | "focusNode">) {
  const { store, actions } = useCanvas();
  return (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = DIRECTIONS.get(event.key);
    if (direction) {
      const focused = event.target instanceof HTMLElement ? event.target.dataset.node : undefined;
      const next = moveTo(layout, focused ?? store.get().selected, direction);
      if (next) {
        actions.select(next.id);
        focusNode(next.id);
      }
    } else if (event.key === "f") fit();
    else if (event.key === "Escape" && store.get().selected !== undefined) actions.select(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
