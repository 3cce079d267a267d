"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMemo } from "react";
import { duration } from "#lib/client/measures.ts";
import type { StudioRun } from "#lib/rules/studio/run.ts";
import { turnsOf } from "#lib/rules/studio/turns.ts";
import { checkpointIdOf } from "#lib/rules/threads/read-state.ts";
import { IconButton } from "../_ui/button.tsx";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";

/** Says which run the log shows, with its time, and leads to the turns before and after it. */
export function RunHeader({ run }: { run: StudioRun }) {
  const { state, setQuery } = useStudio();
  const { head } = useShown();
  const turns = useMemo(() => turnsOf(state.history), [state.history]);
  const at = turns.findIndex((turn) => head && turn.includes(head));
  const show = (index: number) => {
    const last = turns[index]?.[0];
    if (last) void setQuery({ checkpoint: index === 0 ? null : (checkpointIdOf(last.checkpoint) ?? null) });
  };
  const more = state.hasOlder ? "+" : "";
  const words = [
    turns.length > 1 && at >= 0 ? `Turn ${turns.length - at} of ${turns.length}${more}` : undefined,
    startOf(run),
    timeOf(run),
  ].filter((one) => one !== undefined);
  return (
    <div className="flex h-9 shrink-0 items-center gap-1 border-b border-line pr-2 pl-4 text-small text-ink-2">
      <span className="min-w-0 flex-1 truncate">{words.join(" · ")}</span>
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

function startOf(run: StudioRun): string | undefined {
  const first = [...run.tasks].find((task) => task.startedAt !== undefined)?.startedAt ?? run.steps.at(0)?.savedAt;
  return first === undefined ? undefined : new Date(first).toLocaleTimeString();
}

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
