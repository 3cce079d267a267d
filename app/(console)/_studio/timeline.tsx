"use client";

import { useMemo } from "react";
import { type CheckpointLanes, type CheckpointMark, isNextGone } from "#lib/rules/studio/checkpoint-lanes.ts";
import { nextNames } from "#lib/rules/studio/next-names.ts";
import { FromHere } from "./from-here.tsx";
import { useStudio } from "./studio-context.ts";
import { useFoldAhead } from "./use-fold-ahead.ts";
import { useShown } from "./use-shown.ts";

/** The thread's checkpoints in the order of time, a lane for each branch. It scrubs through the thread. */
export function Timeline() {
  const { state } = useStudio();
  const { lanes } = state;
  const { checkpoint } = useShown();
  useFoldAhead();
  const mark = checkpoint === undefined ? undefined : lanes.marks.get(checkpoint);
  if (lanes.marks.size === 0) return null;
  return (
    <div className="flex items-center gap-3 bg-raised px-3.5 py-2 max-lg:border-t max-lg:border-line max-lg:py-1 lg:absolute lg:bottom-14 lg:left-1/2 lg:w-[min(38rem,calc(100%-1.5rem))] lg:-translate-x-1/2 lg:rounded-card lg:border lg:border-line lg:shadow-float">
      <span className="text-small text-ink-3 max-sm:hidden">Checkpoints</span>
      <Track lanes={lanes} shown={mark} />
      <span className="shrink-0 text-small text-ink-2">
        {mark ? `${mark.index + 1} of ${lanes.marks.size}` : `${lanes.marks.size}`}
        {state.hasOlder ? "+" : ""}
      </span>
      <FromHere mark={mark} />
    </div>
  );
}

/** Size of the track in units of its SVG. Its width is stretched to the space there is. */
const WIDTH = 1000;
const LANE = 11;
const MOST_LANES = 4;
/** More marks are drawn as a line of ticks. */
const MOST_CIRCLES = 48;

function Track({ lanes, shown }: { lanes: CheckpointLanes; shown: CheckpointMark | undefined }) {
  const { studio, setQuery, state } = useStudio();
  const { marks } = lanes;
  const last = marks.size - 1;
  const height = Math.min(MOST_LANES, lanes.lanes.length) * LANE + 5;
  const show = (index: number) => {
    const mark = marks.at(index);
    if (!mark || mark === shown) return;
    if (mark.index === 0 && state.hasOlder) void studio.loadOlder();
    void setQuery({ checkpoint: mark.index === last ? null : mark.id });
  };
  return (
    <div className="relative min-w-0 flex-1 rounded-control px-1.5 py-1 has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <div className="relative" style={{ height }}>
        <Lines lanes={lanes} height={height} />
        {marks.size <= MOST_CIRCLES
          ? [...marks].map((mark) => <Dot key={mark.id} mark={mark} lanes={lanes} isShown={mark === shown} />)
          : null}
        {shown && marks.size > MOST_CIRCLES ? <Dot mark={shown} lanes={lanes} isShown /> : null}
      </div>
      <input
        type="range"
        aria-label="Checkpoint"
        aria-valuetext={valueText(shown, lanes)}
        title={shown && markText(shown, lanes)}
        min={0}
        max={last}
        value={shown?.index ?? last}
        onChange={(event) => show(Number(event.target.value))}
        className="absolute inset-0 m-0 size-full cursor-pointer opacity-0"
      />
    </div>
  );
}

function Dot({ mark, lanes, isShown }: { mark: CheckpointMark; lanes: CheckpointLanes; isShown: boolean }) {
  const last = lanes.marks.size - 1;
  const left = last === 0 ? 100 : (mark.index / last) * 100;
  const asks = mark.hasInterrupts ? "border-waiting" : "border-accent";
  return (
    <span
      title={markText(mark, lanes)}
      style={{ left: `${left}%`, top: yOf(mark.lane) }}
      className={`absolute size-2.5 -translate-1/2 rounded-full border-2 bg-raised ${asks} ${isShown ? "bg-accent! ring-2 ring-accent-soft" : ""}`}
    />
  );
}

const yOf = (lane: number): number => Math.min(lane, MOST_LANES - 1) * LANE + LANE / 2 + 2;

/** The lines between checkpoints and, of many, a tick for each. Ticks of the same pixel are drawn once. */
function Lines({ lanes, height }: { lanes: CheckpointLanes; height: number }) {
  const { lines, ticks } = useMemo(() => pathsOf(lanes), [lanes]);
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      className="absolute inset-0 size-full overflow-visible"
    >
      <path d={lines} fill="none" stroke="var(--line-strong)" strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
      <path d={ticks} stroke="var(--accent)" strokeWidth={1} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

function pathsOf({ marks, lanes }: CheckpointLanes): { lines: string; ticks: string } {
  const last = Math.max(1, marks.size - 1);
  const xOf = (mark: CheckpointMark): number => Math.round((mark.index / last) * WIDTH * 10) / 10;
  let lines = "";
  for (const { marks: own, from } of lanes) {
    const [first, end] = [own.at(0), own.last];
    if (!first || !end) continue;
    const parent = from === undefined ? undefined : marks.get(from);
    if (parent) lines += `M${xOf(parent)} ${yOf(parent.lane)}L${xOf(first)} ${yOf(first.lane)}`;
    lines += `M${xOf(first)} ${yOf(first.lane)}H${xOf(end)}`;
  }
  if (marks.size <= MOST_CIRCLES) return { lines, ticks: "" };
  const drawn = new Set([...marks].map((mark) => `M${Math.round(xOf(mark) / 2) * 2} ${yOf(mark.lane) - 3}v6`));
  return { lines, ticks: [...drawn].join("") };
}

function markText(mark: CheckpointMark, lanes: CheckpointLanes): string {
  const { step, source, next, hasInterrupts } = mark;
  const isGone = isNextGone(lanes, mark);
  const words = [
    step === undefined ? "Checkpoint" : `Step ${step}`,
    source === "update" ? "edited" : source === "fork" ? "forked" : source === "input" ? "input" : undefined,
    hasInterrupts ? "waits for an answer" : undefined,
    isGone ? "next: a node that is not in this graph" : undefined,
    next.length > 0 ? `next: ${nextNames(next.slice(0, 3)).join(", ")}${next.length > 3 ? "…" : ""}` : undefined,
    next.length === 0 && !isGone ? "end" : undefined,
  ];
  return words.filter((one) => one !== undefined).join(", ");
}

function valueText(mark: CheckpointMark | undefined, lanes: CheckpointLanes): string {
  const count = lanes.marks.size;
  if (!mark) return `${count} checkpoints`;
  const branch = mark.lane > 0 ? `, branch ${mark.lane + 1}` : "";
  return `${mark.index + 1} of ${count}${branch}: ${markText(mark, lanes)}`;
}
