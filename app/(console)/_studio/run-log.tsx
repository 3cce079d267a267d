"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useCallback, useMemo } from "react";
import { useStickToBottom } from "use-stick-to-bottom";
import { logEntriesOf } from "#lib/rules/studio/log-entries.ts";
import type { StudioError, StudioRun, StudioStep, StudioTask } from "#lib/rules/studio/run.ts";
import { Button } from "../_ui/button.tsx";
import { Later } from "../_ui/later.tsx";
import { LoadFailure, Notice } from "../_ui/notice.tsx";
import { Loading, Skeleton } from "../_ui/skeleton.tsx";
import { GoneThread } from "./gone-thread.tsx";
import { LogStep } from "./log-step.tsx";
import { RunHeader } from "./run-header.tsx";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";
import { useShownRun } from "./use-shown-run.ts";

/** The log of the shown run: an entry for each step. */
export function RunLog() {
  const { state, studio } = useStudio();
  const run = useShownRun();
  const error = useShownError(run);
  if (state.thread === "loading") return <LogSkeleton />;
  if (state.thread === "gone") {
    return (
      <Empty>
        <GoneThread />
      </Empty>
    );
  }
  if (state.thread === "failed") {
    return (
      <Empty>
        <LoadFailure what="The thread" onRetry={() => void studio.open(state.threadId)}>
          {state.reason}
        </LoadFailure>
      </Empty>
    );
  }
  return (
    <>
      <StartFailure />
      {run && run.steps.size > 0 ? (
        <Later fallback={<LogSkeleton />}>
          <Steps run={run} />
        </Later>
      ) : (
        <NoSteps />
      )}
      {error ? <RunFailure error={error} /> : null}
    </>
  );
}

/** Returns the error of the shown run. The history does not tell that of a run that failed before it saved a state. */
function useShownError(run: StudioRun | undefined): StudioError | undefined {
  const { state } = useStudio();
  const { isNewest } = useShown();
  if (run?.error || !isNewest) return run?.error;
  return state.run?.status === "error" ? state.run.error : undefined;
}

function Empty({ children }: { children: ReactNode }) {
  return <div className="p-4">{children}</div>;
}

function NoSteps() {
  const { state } = useStudio();
  if (state.isRunning) return <LogSkeleton />;
  return (
    <p className="p-4 text-ink-2">
      Run the graph, and every step appears here as it happens: its tasks, what they said, and what they changed in the
      state.
    </p>
  );
}

function LogSkeleton() {
  return (
    <div className="flex flex-col gap-3 p-4">
      <Loading what="the run" />
      {["w-1/3", "w-2/3", "w-1/2"].map((width) => (
        <Skeleton key={width} className={`h-5 ${width}`} />
      ))}
    </div>
  );
}

/** Says why the last run was not started, or why its error ended it. */
function StartFailure() {
  const { state } = useStudio();
  const { end } = state;
  const isLost = end?.how === "lost";
  if (end?.how !== "refused" && !isLost) return null;
  return (
    <Empty>
      <Notice
        alert
        tone="bad"
        title={isLost ? "The server could not be reached" : `The run was not started (HTTP ${end.status})`}
      >
        {isLost ? "Nothing was started. Run again when the server answers." : end.message}
      </Notice>
    </Empty>
  );
}

function RunFailure({ error: { name, message, place } }: { error: StudioError }) {
  return (
    <div role="alert" className="max-h-40 shrink-0 overflow-y-auto border-t border-line bg-bad-soft px-4 py-3 text-bad">
      <p className="wrap-anywhere">
        {name ? <bdi className="font-medium">{name}: </bdi> : null}
        {message}
      </p>
      {place ? <p className="mt-1 font-mono text-code wrap-anywhere">{place}</p> : null}
      {name === "GraphRecursionError" ? <RecursionAdvice /> : null}
    </div>
  );
}

/** LangGraph's message names a key of its configuration, so this names the field. */
function RecursionAdvice() {
  const { setQuery } = useStudio();
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink">
      Here the field “Recursion limit” of the Input tab sets it.
      <Button onClick={() => void setQuery({ tab: "input" })}>Open the Input tab</Button>
    </p>
  );
}

/** A guess of an entry's height in px, until it is measured. */
const ENTRY_HEIGHT = 64;

function Steps({ run }: { run: StudioRun }) {
  const { query, setQuery } = useStudio();
  const { scrollRef, contentRef } = useStickToBottom({ initial: "instant", resize: "instant" });
  const steps = useMemo(() => logEntriesOf(run), [run]);
  // The table is not memoized by the compiler, because its functions read what changes.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: steps.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => ENTRY_HEIGHT,
    getItemKey: (index) => steps[index]?.key ?? index,
    overscan: 8,
  });
  const select = useCallback(
    (task: StudioTask, step: StudioStep) =>
      void setQuery({
        node: task.node,
        // The canvas and the state show the moment after the step, unless the run is still going on.
        ...(step.checkpoint !== undefined && step.namespace === "" && { checkpoint: step.checkpoint }),
      }),
    [setQuery],
  );
  return (
    <>
      <RunHeader run={run} />
      <div ref={scrollRef} className="min-h-0 flex-1 overflow-y-auto" role="log" aria-label="Steps of the run">
        <div ref={contentRef} className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ key, index, start }) => {
            const step = steps[index];
            return step ? (
              <div
                key={key}
                data-index={index}
                ref={rows.measureElement}
                className="absolute inset-x-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                <LogStep run={run} step={step} selected={query.node ?? undefined} onSelect={select} />
              </div>
            ) : null;
          })}
        </div>
      </div>
    </>
  );
}
