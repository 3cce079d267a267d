"use client";

import { useCallback } from "react";
import type { RoomApi } from "#lib/client/rooms.ts";
import type { ListedRun } from "#lib/client/runs.ts";
import { RUN_COLUMNS, runHref } from "../_runs/run-columns.tsx";
import { RunPill, triggerWord } from "../_runs/run-status.tsx";
import { RunDuration } from "../_runs/run-duration.tsx";
import { ListFailure } from "../_rooms/room-page.tsx";
import { usePageList } from "../_table/use-page-list.ts";
import { VirtualTable } from "../_table/virtual-table.tsx";
import { Moment } from "../_ui/moment.tsx";
import { useRefreshOn } from "../_ui/use-refresh-on.ts";

const keyOf = ({ run_id }: ListedRun): string => run_id;

/** Lists the runs of a thread. They are read again when `version` changes. */
export function RunsPanel({
  api,
  deployment,
  thread,
  version,
}: {
  api: RoomApi;
  deployment: string;
  thread: string;
  version: string;
}) {
  const rows = usePageList(
    useCallback((cursor, signal) => api.runs.page({ thread_id: thread }, cursor, signal), [api, thread]),
    keyOf,
  );
  useRefreshOn(version, rows.list.refresh);
  if (rows.isLoaded && rows.count === 0 && !rows.hasMore)
    return <p className="text-ink-2">Nothing has run on this thread yet.</p>;
  return (
    <div className="flex h-96 flex-col gap-3">
      <ListFailure what="The runs" rows={rows} />
      <VirtualTable
        label="Runs of this thread"
        rows={rows}
        keyOf={keyOf}
        title="Run"
        columns={RUN_COLUMNS}
        hrefOf={(run) => runHref(deployment, run)}
        labelOf={(run) => ({
          title: run.run_id,
          note: `by ${triggerWord(run.trigger)}`,
          narrow: (
            <>
              <RunPill status={run.status} /> <Moment at={run.started_at ?? run.created_at} />
              <span>
                <RunDuration run={run} />
              </span>
            </>
          ),
        })}
      />
    </div>
  );
}
