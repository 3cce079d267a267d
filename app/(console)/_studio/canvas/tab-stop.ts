import type { GraphLayout } from "#lib/rules/graphs/layout.ts";
import { tabStopOf } from "#lib/rules/graphs/moves.ts";

/** The one node of a canvas that the Tab key goes to: the one that was visited last, else the first. */
export interface TabStop {
  /** Sets the layout that is drawn. */
  draw(layout: Pick<GraphLayout, "boxes">): void;
  /** Makes a node the one that Tab goes to, because it was selected or got the focus. */
  visit(path: string): void;
  /** Returns its path; undefined for a graph without nodes. */
  path(): string | undefined;
  /** Tells that it is in the page. Returns a function that tells that it is no longer. */
  show(): () => void;
  /** Returns false if it is not in the page, because it is out of view. */
  isShown(): boolean;
}

export function createTabStop(notify: () => void): TabStop {
  let boxes: GraphLayout["boxes"] = [];
  let visited: string | undefined;
  let path: string | undefined;
  let shown = 0;
  const change = (): void => {
    path = tabStopOf({ boxes }, visited)?.id;
    notify();
  };
  return {
    draw(layout) {
      ({ boxes } = layout);
      change();
    },
    visit(next) {
      if (next === visited) return;
      visited = next;
      change();
    },
    path: () => path,
    show() {
      shown++;
      notify();
      return () => {
        shown--;
        notify();
      };
    },
    isShown: () => shown > 0 || path === undefined,
  };
}
