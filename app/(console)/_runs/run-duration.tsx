import type { ListedRun } from "#lib/client/runs.ts";
import { Elapsed } from "../_ui/elapsed.tsx";
import { runTimes } from "./run-times.ts";

/** Shows how long a run took, or how long it has been running; nothing if neither is known. */
export function RunDuration({ run }: { run: Pick<ListedRun, "status" | Times> }) {
  const { status, started_at, ended_at } = run;
  if (status === "running" && started_at !== null && ended_at === null)
    return <Elapsed since={Date.parse(started_at)} />;
  return runTimes(run).duration ?? null;
}

type Times = keyof Parameters<typeof runTimes>[0];
