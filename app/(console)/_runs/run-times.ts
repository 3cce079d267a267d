import { duration } from "#lib/client/measures.ts";
import type { ListedRun } from "#lib/client/runs.ts";

type Times = Pick<ListedRun, "created_at" | "started_at" | "ended_at" | "first_token_at">;

/** Returns the durations of a run in words; undefined for those that are not known yet. */
export function runTimes({ created_at, started_at, ended_at, first_token_at }: Times) {
  return {
    wait: between(created_at, started_at),
    duration: between(started_at, ended_at),
    firstToken: between(started_at, first_token_at),
  };
}

function between(from: string | null, to: string | null): string | undefined {
  return from === null || to === null ? undefined : duration(Math.max(0, Date.parse(to) - Date.parse(from)));
}
