"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMemo } from "react";
import { duration } from "#lib/client/measures.ts";
import type { StudioRun } from "#lib/rules/studio/run.ts";
import { turnsOf } from "#lib/rules/studio/turns.ts";
import { checkpointIdOf } from "#lib/rules/threads/read-state.ts";
import { IconButton } from "../_ui/button.tsx";
import { Elapsed } from "../_ui/elapsed.tsx";
import { Moment } from "../_ui/moment.tsx";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";

/** Says which run the log shows, with its time, and leads to the turns before and after it. */
export function RunHeader({ run }: { run: StudioRun }) {
  const { state, setQuery } = useStudio();
  const { head, isNewest } = useShown();
  const turns = useMemo(() => turnsOf(state.history), [state.history]);
  const at = turns.findIndex((turn) => head && turn.includes(head));
  const show = (index: number) => {
    const last = turns[index]?.[0];
    if (last) void setQuery({ checkpoint: index === 0 ? null : (checkpointIdOf(last.checkpoint) ?? null) });
  };
  const more = state.hasOlder ? "+" : "";
  const started = startOfTasks(run);
  const isOngoing = isNewest && state.isRunning && started !== undefined;
  const from = started ?? run.steps.at(0)?.savedAt;
  const facts = [
    turns.length > 1 && at >= 0 ? `Turn ${turns.length - at} of ${turns.length}${more}` : undefined,
    from === undefined ? undefined : <Moment key="from" at={new Date(from).toISOString()} />,
    isOngoing ? <Elapsed key="elapsed" since={started} /> : timeOf(run),
  ].filter((fact) => fact !== undefined);
  return (
    <div className="flex h-9 shrink-0 items-center gap-1 border-b border-line pr-2 pl-4 text-small text-ink-2">
      <span className="min-w-0 flex-1 truncate">
        {facts.flatMap((fact, place) => (place === 0 ? [fact] : [" · ", fact]))}
      </span>
      {turns.length > 1 ? (
        <>
          <IconButton
            size="small"
            label="Earlier turn"
            disabled={at < 0 || at >= turns.length - 1}
            onClick={() => show(at + 1)}
          >
            <ChevronLeft />
          </IconButton>
          <IconButton size="small" label="Later turn" disabled={at <= 0} onClick={() => show(at - 1)}>
            <ChevronRight />
          </IconButton>
        </>
      ) : null}
    </div>
  );
}

const startOfTasks = (run: StudioRun): number | undefined =>
  [...run.tasks].find((task) => task.startedAt !== undefined)?.startedAt;

/** Returns the time from the first task's start to the last one's end. */
function timeOf(run: StudioRun): string | undefined {
  let start = Infinity;
  let end = -Infinity;
  for (const { startedAt, endedAt } of run.tasks) {
    if (startedAt !== undefined) start = Math.min(start, startedAt);
    if (endedAt !== undefined) end = Math.max(end, endedAt);
  }
  return end >= start ? duration(end - start) : undefined;
}
