import { createContext, useContext, useSyncExternalStore } from "react";
import type { Arrow } from "#lib/rules/graphs/layout.ts";
import type { GraphCanvasProps } from "./canvas-props.ts";
import { type CanvasStore, type CanvasView, createCanvasStore, type EdgeView, type NodeView } from "./canvas-store.ts";

export interface CanvasActions {
  /** Sets the callbacks of the page. */
  call(callbacks: Callbacks): void;
  select(path: string | undefined): void;
  toggle(path: string): void;
  breakpoint(path: string, when: "before" | "after"): void;
  /** Returns once which subgraph was toggled last. */
  takeToggled(): string | undefined;
  /** Has the next layout fitted into the view: many subgraphs open or close at once. */
  fitNext(): void;
  /** Returns once whether to fit. */
  takeFit(): boolean;
}

type Callbacks = Pick<GraphCanvasProps, "onSelect" | "onToggle" | "onBreakpoint">;

/** Returns what stays the same for a canvas while its props change. */
export function createCanvas(callbacks: Callbacks): CanvasContext {
  return { store: createCanvasStore(), actions: createActions(callbacks) };
}

function createActions(first: Callbacks): CanvasActions {
  let callbacks = first;
  let toggled: string | undefined;
  let isToFit = false;
  return {
    call(next) {
      callbacks = next;
    },
    select: (path) => callbacks.onSelect(path),
    toggle(path) {
      toggled = path;
      callbacks.onToggle(path);
    },
    takeToggled() {
      const last = toggled;
      toggled = undefined;
      return last;
    },
    fitNext() {
      isToFit = true;
    },
    takeFit() {
      const isAsked = isToFit;
      isToFit = false;
      return isAsked;
    },
    breakpoint: (path, when) => callbacks.onBreakpoint(path, when),
  };
}

export interface CanvasContext {
  store: CanvasStore;
  actions: CanvasActions;
}

export const Canvas = createContext<CanvasContext | undefined>(undefined);

export function useCanvas(): CanvasContext {
  const context = useContext(Canvas);
  if (!context) throw new Error("outside of a canvas");
  return context;
}

export function useNodeView(path: string, label: string): NodeView {
  const { store } = useCanvas();
  return useView(() => store.nodeView(path, label));
}

export function useEdgeView(arrow: Arrow): EdgeView {
  const { store } = useCanvas();
  return useView(() => store.edgeView(arrow));
}

/** Returns whether a start or an end was passed: the run tells of it, or one of its edges was taken. */
export function useIsPassed(path: string, arrows: readonly Arrow[]): boolean {
  const { store } = useCanvas();
  return useView(
    () =>
      store.get().run?.nodes.get(path)?.status === "done" ||
      arrows.some((arrow) => store.edgeView(arrow) !== undefined),
  );
}

function useView<T extends CanvasView>(read: () => T): T {
  const { store } = useCanvas();
  const subscribe = (tell: () => void) => store.subscribe(read, tell);
  return useSyncExternalStore(subscribe, read, read);
}

/** Returns whether Tab goes to this node. */
export function useIsTabStop(path: string): boolean {
  const { store } = useCanvas();
  return useView(() => store.tabStop.path() === path);
}

/** Returns whether the node that Tab goes to is in the page. */
export function useIsTabStopShown(): boolean {
  const { store } = useCanvas();
  return useView(store.tabStop.isShown);
}
