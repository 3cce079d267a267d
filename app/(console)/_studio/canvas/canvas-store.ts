import type { Arrow } from "#lib/rules/graphs/layout.ts";
import type { Breakpoints } from "#lib/client/studio/request.ts";
import type { CanvasRun, NodeRun } from "#lib/rules/studio/canvas-run.ts";
import { createSubscribers } from "./subscribers.ts";
import { createTabStop, type TabStop } from "./tab-stop.ts";

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

/** The view of a node or an edge, or whether a start or an end was passed, or Tab goes to a node. */
export type CanvasView = NodeView | EdgeView | boolean;

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
  /** Changes the state. A part of those that subscribed is told at once, the rest in the next frames. */
  set(state: CanvasState): void;
  get(): CanvasState;
  /** `read` returns the same value until something changes, and `tell` is called after it did. */
  subscribe(read: () => CanvasView, tell: () => void): () => void;
  /** Returns the same object until something of the node changes. */
  nodeView(path: string, label: string): NodeView;
  edgeView(arrow: DrawnArrow): EdgeView;
  readonly tabStop: TabStop;
}

const NOTHING: CanvasState = {
  run: undefined,
  selected: undefined,
  breakpoints: { before: new Set(), after: new Set() },
  search: "",
};

export function createCanvasStore(nextFrame?: (callback: () => void) => void): CanvasStore {
  let state = NOTHING;
  const views = new Map<string, NodeView>();
  const subscribers = createSubscribers<CanvasView>({ isLit, nextFrame });
  const tabStop = createTabStop(subscribers.tell);
  return {
    tabStop,
    set(next) {
      if (next.selected !== undefined && next.selected !== state.selected) tabStop.visit(next.selected);
      state = next;
      subscribers.tell();
    },
    get: () => state,
    subscribe: subscribers.add,
    nodeView(path, label) {
      const { run, selected, breakpoints, search } = state;
      const view: NodeView = {
        run: run && (run.nodes.get(path) ?? unknownWithin(run, path)),
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

const UNKNOWN: NodeRun = { status: "unknown", count: 0 };

/** Nodes of a subgraph that ran may have run, even if nothing was told of them. */
function unknownWithin({ untold }: CanvasRun, path: string): NodeRun | undefined {
  for (let end = path.lastIndexOf(":"); end > 0; end = path.lastIndexOf(":", end - 1)) {
    if (untold.has(path.slice(0, end))) return UNKNOWN;
  }
  return undefined;
}

const isLit = (view: CanvasView): boolean => (typeof view === "object" ? view.run !== undefined : Boolean(view));

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
