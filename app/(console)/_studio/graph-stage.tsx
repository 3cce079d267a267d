"use client";

import { Search } from "lucide-react";
import { Suspense, useMemo, useState } from "react";
import { lazyPart } from "../_ui/lazy-part.ts";
import { LoadFailure } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { GoneNodes } from "./gone-nodes.tsx";
import { Lesson } from "./lesson.tsx";
import { StageNotice } from "./stage-notice.tsx";
import { useStudio } from "./studio-context.ts";
import { Timeline } from "./timeline.tsx";
import { useShownRun } from "./use-shown-run.ts";
import { canvasRunOf } from "#lib/rules/studio/canvas-run.ts";

const GraphCanvas = lazyPart(() =>
  import("./canvas/graph-canvas.tsx").then((module) => ({ default: module.GraphCanvas })),
);

/** The canvas with what floats over it: the search, the timeline, and what the run waits for. */
export function GraphStage() {
  const { graph, info, query, setQuery, settings, canvas } = useStudio();
  const run = useShownRun();
  const { drawing, failure, refresh } = info;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState("");
  const canvasRun = useMemo(() => (run ? canvasRunOf(run) : undefined), [run]);
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
              onSelect={(node) => void setQuery({ node: node ?? null, ...(node !== undefined && { tab: "node" }) })}
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
            <Lesson />
          </div>
          <label className="pointer-events-auto ml-auto flex h-8 w-44 items-center gap-2 rounded-control border border-line bg-raised px-2.5 focus-within:border-accent max-sm:hidden">
            <Search className="size-3.5 shrink-0 text-ink-3" />
            <span className="sr-only">Find a node</span>
            <input
              data-filter
              type="search"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Escape") setSearch("");
                const found = drawing?.nodes.find((one) => `${one.id}`.toLowerCase().includes(search.toLowerCase()));
                if (event.key === "Enter" && search !== "" && found) canvas.current?.focusNode(`${found.id}`);
              }}
              placeholder="Find a node"
              className="min-w-0 flex-1 bg-transparent outline-none"
            />
          </label>
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
