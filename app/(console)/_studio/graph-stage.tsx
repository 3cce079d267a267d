"use client";

import { Suspense, useMemo, useState } from "react";
import { lazyPart, preload } from "../_ui/lazy-part.ts";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { GoneNodes } from "./gone-nodes.tsx";
import { FindNode, pathsAround } from "./find-node.tsx";
import { LessonCard, LessonStrip } from "./lesson.tsx";
import { StageNotice } from "./stage-notice.tsx";
import { StatusPill } from "./status-pill.tsx";
import { useStudio } from "./studio-context.ts";
import { Timeline } from "./timeline.tsx";
import { useLesson } from "./use-lesson.ts";
import { useShownRun } from "./use-shown-run.ts";
import { canvasRunOf } from "#lib/rules/studio/canvas-run.ts";

const GraphCanvas = lazyPart(() => import("./canvas/graph-canvas.tsx").then((part) => ({ default: part.GraphCanvas })));
// The code is on its way while the page is hydrated.
preload(GraphCanvas.load);

/** The canvas with what floats over it: the search, the timeline, and what the run waits for. */
export function GraphStage() {
  const { graph, info, query, setQuery, settings, canvas } = useStudio();
  const run = useShownRun();
  const lesson = useLesson();
  const { drawing, failure, refresh } = info;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState("");
  const canvasRun = useMemo(() => (run ? canvasRunOf(run) : undefined), [run]);
  const select = (node: string | undefined) =>
    void setQuery({ node: node ?? null, ...(node !== undefined && { tab: "node" }) });
  const find = (node: string) => {
    setSearch("");
    select(node);
    const around = pathsAround(node);
    if (around.length > 0) setOpen(new Set([...open, ...around]));
    // Subgraphs around the node open with the next frame.
    requestAnimationFrame(() => canvas.current?.focusNode(node));
  };
  if (failure !== undefined && !drawing) {
    return (
      <div className="p-6">
        <LoadFailure what={`The graph ${graph}`} onRetry={() => void refresh()}>
          {failure}
        </LoadFailure>
      </div>
    );
  }
  return (
    <div className="flex size-full flex-col">
      {lesson ? <LessonStrip {...lesson} /> : null}
      <div className="relative min-h-0 flex-1">
        {drawing ? (
          <Suspense fallback={<Loading what="the graph" className="size-full rounded-none" />}>
            <GraphCanvas
              ref={canvas}
              name={graph}
              drawing={drawing}
              outline={info.outline}
              open={open}
              onToggle={(path) => setOpen(toggled(open, path))}
              onOpen={setOpen}
              selected={query.node ?? undefined}
              onSelect={select}
              run={canvasRun}
              breakpoints={settings.breakpoints}
              onBreakpoint={settings.toggleBreakpoint}
              search={search}
            />
          </Suspense>
        ) : (
          <Loading what="the graph" className="size-full rounded-none" />
        )}
        <div className="pointer-events-none absolute inset-x-3 top-3 flex items-start justify-between gap-3">
          <div className="flex flex-col gap-2">
            <StageNotice />
            <GoneNodes />
            {lesson ? <LessonCard {...lesson} /> : null}
          </div>
          <div className="ml-auto shrink-0">
            <FindNode drawing={drawing} search={search} onSearch={setSearch} onFound={find} />
            <StatusPill className="sm:hidden" />
          </div>
        </div>
      </div>
      <Timeline />
    </div>
  );
}

function toggled(open: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const next = new Set(open);
  if (!next.delete(path)) next.add(path);
  return next;
}
