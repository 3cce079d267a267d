import { Pause, Pencil, Play, SkipForward, Trash2 } from "lucide-react";
import type { Cron } from "#lib/protocol/crons.ts";
import { AssistantNames } from "../_rooms/assistant-names.tsx";
import { assistantOf, type RoomAssistant } from "../_rooms/room-assistant.ts";
import type { Column } from "../_table/columns.ts";
import { IconButton } from "../_ui/button.tsx";
import { Moment } from "../_ui/moment.tsx";
import { type CronActs, runNow, toggle } from "./cron-acts.ts";
import { CronPill } from "./cron-status.tsx";
import { LastRun } from "./last-runs.tsx";

export function cronColumns({
  assistants,
  runs,
  ...acts
}: CronActs & { assistants: readonly RoomAssistant[]; runs: number }): readonly Column<Cron>[] {
  return [
    {
      id: "assistant",
      header: "Assistant",
      meta: { cell: "hidden w-36 shrink-0 md:block" },
      cell: ({ row }) => {
        const found = assistantOf(row.original.assistant_id, assistants);
        return <AssistantNames name={found?.name ?? "Deleted assistant"} graph={found?.graph ?? ""} />;
      },
    },
    {
      id: "state",
      header: "State",
      meta: { cell: "hidden w-24 shrink-0 sm:block" },
      cell: ({ row }) => <CronPill {...row.original} />,
    },
    {
      id: "next",
      header: "Next",
      meta: { cell: "hidden w-20 shrink-0 text-ink-2 lg:block" },
      cell: ({ row: { original } }) =>
        original.next_run_date === null ? (
          <span className="text-ink-3">never</span>
        ) : (
          <Moment at={original.next_run_date} />
        ),
    },
    {
      id: "last",
      header: "Last result",
      meta: { cell: "hidden w-28 shrink-0 lg:block" },
      cell: ({ row }) => <LastRun api={acts.api} cron={row.original} version={runs} />,
    },
    {
      id: "actions",
      header: "Actions",
      meta: { cell: "relative z-1 hidden w-34 shrink-0 justify-end sm:flex", isUntitled: true },
      cell: ({ row: { original } }) => <CronIcons {...acts} cron={original} />,
    },
  ];
}

function CronIcons({ cron, ...acts }: CronActs & { cron: Cron }) {
  const { enabled, cron_id } = cron;
  const isBusy = acts.busy.has(cron_id);
  return (
    <>
      <IconButton
        tabIndex={-1}
        label="Run now"
        aria-disabled={isBusy}
        onClick={({ detail }) => runNow(acts, cron, detail)}
      >
        <SkipForward />
      </IconButton>
      <IconButton
        tabIndex={-1}
        label={enabled ? "Pause" : "Resume"}
        aria-disabled={isBusy}
        onClick={() => toggle(acts, cron)}
      >
        {enabled ? <Pause /> : <Play />}
      </IconButton>
      <IconButton tabIndex={-1} label="Edit" onClick={() => acts.onOpen({ dialog: "edit", cron })}>
        <Pencil />
      </IconButton>
      <IconButton tabIndex={-1} label="Delete" onClick={() => acts.onOpen({ dialog: "delete", cron })}>
        <Trash2 />
      </IconButton>
    </>
  );
}
