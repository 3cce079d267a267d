import type { Arrow } from "#lib/rules/graphs/layout.ts";
import type { Breakpoints } from "#lib/client/studio/request.ts";
import type { CanvasRun, NodeRun } from "#lib/rules/studio/canvas-run.ts";

/** The state of a node that changes while its place stays. */
export interface NodeView {
  run: NodeRun | undefined;
  selected: boolean;
  before: boolean;
  after: boolean;
  dimmed: boolean;
}

type DrawnArrow = Pick<Arrow, "id" | "source" | "target">;

export type EdgeView = "taken" | "newest" | undefined;

export interface CanvasState {
  run: CanvasRun | undefined;
  selected: string | undefined;
  breakpoints: Breakpoints;
  search: string;
}

/**
 * Holds what changes while a run goes on. Each node and edge subscribes to its own part and is rendered again only if
 * that part changed; the canvas itself is not.
 */
export interface CanvasStore {
  set(state: CanvasState): void;
  get(): CanvasState;
  subscribe(listener: () => void): () => void;
  /** Returns the same object until something of the node changes. */
  nodeView(path: string, label: string): NodeView;
  edgeView(arrow: DrawnArrow): EdgeView;
}

const NOTHING: CanvasState = {
  run: undefined,
  selected: undefined,
  breakpoints: { before: new Set(), after: new Set() },
  search: "",
};

export function createCanvasStore(): CanvasStore {
  let state = NOTHING;
  const listeners = new Set<() => void>();
  const views = new Map<string, NodeView>();
  return {
    set(next) {
      state = next;
      for (const listener of listeners) listener();
    },
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    nodeView(path, label) {
      const { run, selected, breakpoints, search } = state;
      const view: NodeView = {
        run: run?.nodes.get(path),
        selected: selected === path,
        before: breakpoints.before.has(path),
        after: breakpoints.after.has(path),
        dimmed: search !== "" && !label.toLowerCase().includes(search.toLowerCase()),
      };
      const known = views.get(path);
      if (known && isSameView(known, view)) return known;
      views.set(path, view);
      return view;
    },
    edgeView: (arrow) => state.run && (state.run.edges.get(arrow.id) ?? innerEdge(state.run, arrow)),
  };
}

/**
 * Start and end of a subgraph are drawn, but no run tells of them: the edge from its start was taken if the node after
 * it ran, the edge to its end if both the subgraph and the node before are done.
 */
function innerEdge({ nodes }: CanvasRun, { source, target }: DrawnArrow): EdgeView {
  if (source.endsWith(START)) return (nodes.get(target)?.count ?? 0) > 0 ? "taken" : undefined;
  if (!target.endsWith(END)) return undefined;
  const isDone = (path: string) => nodes.get(path)?.status === "done";
  return isDone(source) && isDone(target.slice(0, -END.length)) ? "taken" : undefined;
}

const START = ":__start__";
const END = ":__end__";

function isSameView(a: NodeView, b: NodeView): boolean {
  return (
    a.selected === b.selected &&
    a.before === b.before &&
    a.after === b.after &&
    a.dimmed === b.dimmed &&
    (a.run === b.run || (a.run !== undefined && b.run !== undefined && isSameRun(a.run, b.run)))
  );
}

function isSameRun(a: NodeRun, b: NodeRun): boolean {
  return (
    a.status === b.status && a.count === b.count && a.runningCount === b.runningCount && a.durationMs === b.durationMs
  );
}
