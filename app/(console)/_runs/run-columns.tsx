import type { ListedRun } from "#lib/client/runs.ts";
import type { Column } from "../_table/columns.ts";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Moment } from "../_ui/moment.tsx";
import { RunDuration } from "./run-duration.tsx";
import { RunPill, triggerWord } from "./run-status.tsx";
import { runTimes } from "./run-times.ts";

const NUMBER = "shrink-0 text-right whitespace-nowrap text-ink-2";

export function runHref(deployment: string, { run_id }: Pick<ListedRun, "run_id">): string {
  return `${deploymentPath(deployment)}/runs/${encodeURIComponent(run_id)}`;
}

export const RUN_COLUMNS: readonly Column<ListedRun>[] = [
  {
    id: "status",
    header: "Status",
    meta: { cell: "hidden w-28 shrink-0 sm:block" },
    cell: ({ row }) => <RunPill status={row.original.status} />,
  },
  {
    id: "trigger",
    header: "Trigger",
    meta: { cell: "hidden w-16 shrink-0 truncate text-ink-2 lg:block" },
    cell: ({ row }) => triggerWord(row.original.trigger),
  },
  {
    id: "started",
    header: "Started",
    meta: { cell: "hidden w-24 shrink-0 text-ink-2 md:block" },
    cell: ({ row: { original } }) =>
      original.started_at === null ? <span className="text-ink-3">not yet</span> : <Moment at={original.started_at} />,
  },
  {
    id: "wait",
    header: "Wait",
    meta: { cell: `hidden w-20 xl:block ${NUMBER}` },
    cell: ({ row }) => runTimes(row.original).wait ?? "",
  },
  {
    id: "duration",
    header: "Duration",
    meta: { cell: `hidden w-22 lg:block ${NUMBER}` },
    cell: ({ row }) => <RunDuration run={row.original} />,
  },
  {
    id: "first",
    header: "First token",
    meta: { cell: `hidden w-20 xl:block ${NUMBER}` },
    cell: ({ row }) => runTimes(row.original).firstToken ?? "",
  },
  {
    id: "attempts",
    header: "Attempts",
    meta: { cell: `hidden w-16 xl:block ${NUMBER}` },
    cell: ({ row }) => row.original.attempts,
  },
  {
    id: "error",
    header: "Error",
    meta: { cell: "hidden min-w-0 flex-1 xl:block" },
    cell: ({ row: { original } }) =>
      original.error ? (
        <>
          <div className="truncate text-bad" title={original.error.error}>
            {original.error.error}
          </div>
          <div className="truncate text-small text-ink-3" title={original.error.message}>
            {original.error.message}
          </div>
        </>
      ) : null,
  },
];
