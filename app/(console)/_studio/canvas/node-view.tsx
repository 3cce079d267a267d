import type { Node, NodeProps } from "@xyflow/react";
import { ChevronDown, ChevronRight } from "lucide-react";
import { type KeyboardEvent, memo, useLayoutEffect } from "react";
import type { Arrow, Box } from "#lib/rules/graphs/layout.ts";
import { useCanvas, useIsPassed, useIsTabStop, useNodeView } from "./canvas-context.ts";
import type { NodeView } from "./canvas-store.ts";
import { nodeLabel, runLine } from "./node-words.ts";
import { STATUS_BOX, StatusSign } from "./status-look.tsx";

export type BoxNode = Node<{ box: Box; hint: string; joined: readonly Arrow[] }, "box">;

/** Draws one node. It subscribes to its own status. */
export const BoxView = memo(function BoxView({ data: { box, hint, joined } }: NodeProps<BoxNode>) {
  if (box.kind === "start" || box.kind === "end") return <Terminal box={box} joined={joined} />;
  return <Card box={box} hint={hint} />;
});

/** Start and end: pills at the top level, points in an opened subgraph. */
function Terminal({ box, joined }: { box: Box; joined: readonly Arrow[] }) {
  const isPassed = useIsPassed(box.id, joined);
  const colour = isPassed ? "border-ok bg-ok-soft text-ink" : "border-line-strong bg-raised text-ink-2";
  if (box.parent !== undefined) {
    return <div title={box.label} className={`size-full rounded-full border-2 ${colour}`} />;
  }
  return (
    <div className={`flex size-full items-center justify-center rounded-full border-[1.5px] ${colour}`}>
      {box.label}
    </div>
  );
}

/**
 * A node, a closed subgraph or an opened one. It is one component with one button, so that the focus stays when a
 * subgraph opens. The button lies over the text, because its own name tells more.
 */
function Card({ box, hint }: { box: Box; hint: string }) {
  const view = useNodeView(box.id, box.label);
  const { run } = view;
  const isOpen = box.kind === "container";
  const look = STATUS_BOX[run?.status ?? "idle"];
  const line = run ? runLine(run) : isOpen ? "" : hint;
  const selected = view.selected ? "outline-2 outline-offset-2 outline-accent" : "";
  return (
    <div className={`size-full rounded-card ${selected} ${view.dimmed ? "opacity-35" : ""}`}>
      {box.kind === "subgraph" ? <Stacked /> : null}
      <div
        aria-hidden
        className={`size-full rounded-card border-[1.5px] ${look} ${isOpen ? "bg-ink/3!" : SPACE[box.kind]}`}
      >
        <div className={isOpen ? HEADER : CARD}>
          <span className={`flex min-w-0 items-center gap-2 ${isOpen ? "" : "w-full"}`}>
            <bdi className={`min-w-0 truncate font-medium whitespace-pre ${isOpen ? "" : "grow"}`}>{box.label}</bdi>
            {run ? <StatusSign status={run.status} /> : null}
          </span>
          <span className="h-4 min-w-0 shrink truncate font-mono text-small text-ink-2">{line}</span>
        </div>
      </div>
      <NodeButton box={box} view={view} />
      {box.kind === "step" ? null : <Chevron box={box} className={isOpen ? "top-1.5 left-1.5" : "right-2 bottom-2"} />}
      <Count view={view} />
      <Breakpoints box={box} view={view} />
    </div>
  );
}

const HEADER = "flex h-10 w-full items-center gap-3 pr-3 pl-10 group-data-far/canvas:hidden";
const CARD = "flex size-full flex-col justify-center group-data-far/canvas:hidden";
/** The card of a subgraph lies above the edge of the second card. */
const SPACE: Partial<Record<Box["kind"], string>> = { step: "pr-3 pl-4", subgraph: "relative pr-10 pl-4" };

/** The edge of a second card behind a closed subgraph. */
function Stacked() {
  return <span aria-hidden className="absolute inset-x-2 -bottom-1.5 h-4 rounded-b-card border border-line-strong" />;
}

/** LangGraph stops at nodes of the outermost graph only: breakpoints are not passed on to subgraphs. */
const canStop = ({ parent }: Box): boolean => parent === undefined;

function Breakpoints({ box, view }: { box: Box; view: NodeView }) {
  if (!canStop(box)) return null;
  return (
    <>
      <Breakpoint box={box} when="before" set={view.before} />
      <Breakpoint box={box} when="after" set={view.after} />
    </>
  );
}

function NodeButton({ box, view }: { box: Box; view: NodeView }) {
  const { actions, store } = useCanvas();
  const isTabStop = useIsTabStop(box.id);
  useLayoutEffect(() => (isTabStop ? store.tabStop.show() : undefined), [isTabStop, store]);
  const isSubgraph = box.kind !== "step";
  const label = nodeLabel(box, view);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    if (isSubgraph && (key === "enter" || key === "o")) actions.toggle(box.id);
    else if (key === "b" && canStop(box)) actions.breakpoint(box.id, event.shiftKey ? "after" : "before");
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <button
      type="button"
      // Tab enters and leaves the graph as a whole. Arrows lead from node to node.
      tabIndex={isTabStop ? 0 : -1}
      data-node={box.id}
      aria-label={label}
      aria-pressed={view.selected}
      {...(isSubgraph && { "aria-expanded": box.kind === "container" })}
      title={label}
      className={`pointer-events-auto absolute inset-x-0 top-0 ${box.kind === "container" ? "h-10 rounded-t-card" : "h-full rounded-card"}`}
      onFocus={() => store.tabStop.visit(box.id)}
      onClick={() => actions.select(box.id)}
      onDoubleClick={() => (isSubgraph ? actions.toggle(box.id) : undefined)}
      onKeyDown={onKeyDown}
    />
  );
}

function Chevron({ box, className }: { box: Box; className: string }) {
  const { actions } = useCanvas();
  const opened = box.kind === "container";
  const label = `${opened ? "Close" : "Open"} ${box.label}`;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={label}
      className={`pointer-events-auto absolute flex size-7 items-center justify-center rounded-control text-ink-2 hover:bg-well hover:text-ink [&_svg]:size-4 ${className}`}
      onClick={() => actions.toggle(box.id)}
    >
      {opened ? <ChevronDown /> : <ChevronRight />}
    </button>
  );
}

function Count({ view: { run } }: { view: NodeView }) {
  if (!run || run.count <= 1) return null;
  return (
    <span className="absolute -top-2.5 -right-2 rounded-full border border-line-strong bg-background px-1.5 font-mono text-small text-ink-2">
      ×{run.count}
    </span>
  );
}

/** The upper or lower border of a node: a click sets or removes a breakpoint. */
function Breakpoint({ box, when, set }: { box: Box; when: "before" | "after"; set: boolean }) {
  const { actions } = useCanvas();
  const label = `Breakpoint ${when} ${box.label}`;
  const mark = set ? "bg-bad opacity-100" : "bg-bad opacity-0 group-hover:opacity-50";
  // Borders cannot be hit from far away, and a large graph has two such buttons for each of its nodes.
  const far = set ? "" : "group-data-far/canvas:hidden";
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      aria-pressed={set}
      title={`${label} (${when === "before" ? "b" : "Shift b"})`}
      className={`group pointer-events-auto absolute inset-x-8 flex h-3 items-center justify-center ${when === "before" ? "-top-1.5" : "-bottom-1.5"} ${far}`}
      onClick={() => actions.breakpoint(box.id, when)}
    >
      <span className={`h-1.5 w-8 rounded-full transition-opacity ${mark}`} />
    </button>
  );
}
