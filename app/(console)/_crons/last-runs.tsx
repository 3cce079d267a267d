"use client";

import { useCallback } from "react";
import type { RoomApi } from "#lib/client/rooms.ts";
import type { ListedRun } from "#lib/client/runs.ts";
import type { Cron } from "#lib/protocol/crons.ts";
import { runHref } from "../_runs/run-columns.tsx";
import { RUN_STATUS, RunPill } from "../_runs/run-status.tsx";
import { Moment } from "../_ui/moment.tsx";
import { PageLink } from "../_ui/page-link.tsx";
import { Dot } from "../_ui/status.tsx";
import { useRead } from "../_ui/use-read.ts";
import { useRefreshOn } from "../_ui/use-refresh-on.ts";

const SHOWN = 5;

interface LastRunsProps {
  api: RoomApi;
  cron: Cron;
  /** Another number makes them be read again. */
  version: number;
}

/** Reads the newest runs of a cron. Undefined until they are there. */
function useLastRuns({ api, cron: { cron_id }, version }: LastRunsProps) {
  const read = useCallback(async (): Promise<readonly ListedRun[]> => {
    const page = await api.runs.page({ metadata: { cron_id } }, "", new AbortController().signal);
    return page.rows.slice(0, SHOWN);
  }, [api, cron_id]);
  const { value, failure, refresh } = useRead<readonly ListedRun[] | undefined>(read, undefined);
  useRefreshOn(version, refresh);
  return { runs: value, failure };
}

/** Shows the newest result in a cell. */
export function LastRun(props: LastRunsProps) {
  const { runs } = useLastRuns(props);
  const [newest] = runs ?? [];
  if (!newest) return <span className="text-ink-3">{runs ? "none" : ""}</span>;
  return (
    <>
      <span className="flex items-center gap-1.5">
        <Dot tone={RUN_STATUS[newest.status].tone} />
        {RUN_STATUS[newest.status].word}
      </span>
      <span className="block text-small text-ink-3">
        <Moment at={newest.created_at} />
      </span>
    </>
  );
}

/** Lists the newest runs with links. */
export function LastRuns({ deployment, ...props }: LastRunsProps & { deployment: string }) {
  const { runs, failure } = useLastRuns(props);
  if (failure !== undefined) return <p className="text-bad">{failure}</p>;
  if (!runs) return <output className="text-ink-2">Loading the runs…</output>;
  if (runs.length === 0) {
    return (
      <p className="text-ink-2">
        {props.cron.on_run_completed === "delete" && props.cron.thread_id === null
          ? "None. This cron deletes the thread of each run when it has ended."
          : "It has not run yet."}
      </p>
    );
  }
  return (
    <ul className="flex flex-col gap-1.5">
      {runs.map((run) => (
        <li key={run.run_id} className="flex flex-wrap items-center gap-2">
          <RunPill status={run.status} />
          <PageLink
            href={runHref(deployment, run)}
            prefetch={false}
            className="text-accent underline underline-offset-2"
          >
            <Moment at={run.created_at} />
          </PageLink>
          {run.error ? <span className="min-w-0 truncate text-bad">{run.error.message}</span> : null}
        </li>
      ))}
    </ul>
  );
}
