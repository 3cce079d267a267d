import type { Ref } from "react";
import type { Breakpoints } from "#lib/client/studio/request.ts";
import type { GraphDrawing } from "#lib/protocol/assistants.ts";
import type { CanvasRun } from "#lib/rules/studio/canvas-run.ts";

/** Calls that a page can make on the canvas. */
export interface CanvasHandle {
  /** Shows the whole graph. */
  fit(): void;
  /** Scrolls to a node, or to the closed subgraph around it, and moves the keyboard focus there. */
  focusNode(path: string): void;
  /** Returns a standalone SVG of what is drawn; undefined before the first layout. */
  exportSvg(): string | undefined;
  /** Returns the same picture as PNG, at twice its size. */
  exportPng(): Promise<Blob | undefined>;
}

export interface GraphCanvasProps {
  ref?: Ref<CanvasHandle>;
  /** The graph's name, for screen readers. */
  name: string;
  /** The drawing with `xray: true`. */
  drawing: GraphDrawing;
  /** The drawing without `xray`: names the nodes and edges of the top level exactly. */
  outline?: GraphDrawing;
  /** Paths of the subgraphs that are opened. */
  open: ReadonlySet<string>;
  /** Opens or closes one subgraph. */
  onToggle: (path: string) => void;
  /** Opens these subgraphs and closes all others (button "Subgraphs"). Without it, `onToggle` is called for each. */
  onOpen?: (paths: ReadonlySet<string>) => void;
  /** Path of the selected node. */
  selected?: string;
  onSelect: (path: string | undefined) => void;
  run?: CanvasRun;
  breakpoints: Breakpoints;
  /** Sets or removes a breakpoint. */
  onBreakpoint: (path: string, when: "before" | "after") => void;
  /** Nodes whose name does not contain this text are dimmed. */
  search?: string;
}
