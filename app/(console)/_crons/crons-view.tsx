"use client";

import { CalendarClock, Plus } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { type ReactNode, Suspense, useCallback, useMemo, useState } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { type RoomApi, roomApi } from "#lib/client/rooms.ts";
import type { Cron } from "#lib/protocol/crons.ts";
import { cronWords } from "#lib/rules/runs/cron-words.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { Authenticated } from "../_auth/authenticated.tsx";
import type { Caller } from "../_auth/caller.ts";
import type { RoomAssistant } from "../_rooms/room-assistant.ts";
import { AssistantFilter, FilterSelect } from "../_rooms/filter-select.tsx";
import { Empty, NoMatch } from "../_rooms/empty.tsx";
import { ListFailure, RoomPage } from "../_rooms/room-page.tsx";
import type { RoomProps } from "../_rooms/room-props.ts";
import { useSoon } from "../_rooms/use-soon.ts";
import { useFollow } from "../_shell/live.tsx";
import { usePageList } from "../_table/use-page-list.ts";
import { VirtualTable } from "../_table/virtual-table.tsx";
import { Button } from "../_ui/button.tsx";
import { lazyDialog, lazyPart } from "../_ui/lazy-part.ts";
import { Moment } from "../_ui/moment.tsx";
import { Notice } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { notify } from "../_ui/toast.ts";
import type { OpenDialog } from "./cron-acts.ts";
import { cronColumns } from "./cron-columns.tsx";
import { CronPill } from "./cron-status.tsx";
import { useCronActs } from "./use-cron-acts.ts";

const CronDetail = lazyPart(() => import("./cron-detail.tsx").then((part) => ({ default: part.CronDetail })));
const CronDialog = lazyDialog(() => import("./cron-dialog.tsx"));
const ConfirmDialog = lazyDialog(() => import("../_ui/confirm-dialog.tsx"));

const PAGE = { label: "Crons", path: "crons" };
const FILTERS = {
  state: parseAsStringLiteral(["active", "paused"]),
  assistant: parseAsString,
  /** The cron that is open. */
  open: parseAsString,
};
const STATES = [
  ["active", "Active"],
  ["paused", "Paused"],
] as const;
const keyOf = ({ cron_id }: Cron): string => cron_id;
const titleOf = ({ schedule }: Cron): string => cronWords(schedule) ?? schedule;

export function CronsView(props: RoomProps) {
  return (
    <Authenticated {...props} page={PAGE}>
      {(caller) => <Crons {...props} activeCaller={caller} />}
    </Authenticated>
  );
}

function Crons({ deployment, assistants, activeCaller }: RoomProps & { activeCaller: Caller }) {
  const api = useMemo(() => roomApi(apiBase(deployment)), [deployment]);
  const [{ state, assistant, open }, setFilter] = useQueryStates(FILTERS);
  const rows = usePageList(
    useCallback(
      (cursor, signal) =>
        api.crons.page(
          { ...(state && { enabled: state === "active" }), ...(assistant && { assistant_id: assistant }) },
          cursor,
          signal,
        ),
      [api, state, assistant],
    ),
    keyOf,
  );
  const { refresh } = rows;
  const [opened, setOpened] = useState<OpenDialog>();
  const [runs, setRuns] = useState(0);
  const onChange = useCallback((): void => {
    setRuns((before) => before + 1);
    void refresh();
  }, [refresh]);
  useFollow({ deployment, threads: true }, { onThreads: useSoon(onChange) });
  const { acts, failure } = useCronActs(api, setOpened, onChange);
  const columns = useMemo(() => cronColumns({ ...acts, assistants, runs }), [acts, assistants, runs]);
  const detailOf = (cron: Cron): ReactNode => (
    <Suspense fallback={<Loading what="the cron" className="h-40" />}>
      <CronDetail {...acts} deployment={deployment} cron={cron} runs={runs} />
    </Suspense>
  );
  return (
    <RoomPage
      deployment={deployment}
      caller={activeCaller}
      title="Crons"
      path="crons"
      count={rows.isLoaded && !rows.hasMore ? counted(rows.count, "cron") : ""}
      actions={
        <>
          <CronFilters
            filter={{ state, assistant }}
            setFilter={(change) => void setFilter(change)}
            assistants={assistants}
          />
          <Button variant="primary" onClick={() => setOpened({ dialog: "edit", cron: undefined })}>
            <Plus /> New cron
          </Button>
        </>
      }
    >
      {failure === undefined ? null : (
        <Notice alert tone="bad" title="The request failed">
          {failure}
        </Notice>
      )}
      <ListFailure what="The crons" rows={rows} />
      {rows.isLoaded && rows.count === 0 && !rows.hasMore ? (
        <NoCrons
          isFiltered={state !== null || assistant !== null}
          onClear={() => void setFilter({ state: null, assistant: null })}
          onMake={() => setOpened({ dialog: "edit", cron: undefined })}
        />
      ) : (
        <VirtualTable
          label="Crons"
          rows={rows}
          keyOf={keyOf}
          title="Schedule"
          columns={columns}
          opened={open ?? undefined}
          onOpen={(key) => void setFilter({ open: key ?? null })}
          labelOf={(cron) => ({
            title: titleOf(cron),
            note: (
              <span className="font-mono">
                {cron.schedule} · {cron.timezone ?? "UTC"}
              </span>
            ),
            narrow: (
              <>
                <CronPill {...cron} />
                {cron.next_run_date === null ? null : <Moment at={cron.next_run_date} />}
              </>
            ),
          })}
          detailOf={detailOf}
        />
      )}
      {opened ? (
        <CronDialogs
          deployment={deployment}
          api={api}
          assistants={assistants}
          opened={opened}
          onClose={() => setOpened(undefined)}
          onDone={(text) => {
            setOpened(undefined);
            notify({ title: text });
            onChange();
          }}
        />
      ) : null}
    </RoomPage>
  );
}

function CronDialogs({
  deployment,
  api,
  assistants,
  opened,
  onClose,
  onDone,
}: {
  deployment: string;
  api: RoomApi;
  assistants: readonly RoomAssistant[];
  opened: OpenDialog;
  onClose: () => void;
  onDone: (news: string) => void;
}) {
  if (opened.dialog === "edit") {
    return (
      <Suspense>
        <CronDialog
          deployment={deployment}
          api={api}
          assistants={assistants}
          cron={opened.cron}
          onClose={onClose}
          onSaved={() => onDone(opened.cron ? "The cron was changed." : "The cron was created.")}
        />
      </Suspense>
    );
  }
  return (
    <Suspense>
      <ConfirmDialog
        title="Delete this cron?"
        action="Delete"
        busy="Deleting…"
        onClose={onClose}
        onConfirm={async () => {
          await api.crons.remove(opened.cron.cron_id);
          onDone("The cron was deleted.");
        }}
      >
        <span className="font-medium text-ink">{titleOf(opened.cron)}</span> no longer fires. Runs that it has started
        go on.
      </ConfirmDialog>
    </Suspense>
  );
}

function CronFilters({
  filter,
  setFilter,
  assistants,
}: {
  filter: { readonly state: string | null; readonly assistant: string | null };
  setFilter: (change: { state?: "active" | "paused" | null; assistant?: string | null }) => void;
  assistants: readonly RoomAssistant[];
}) {
  return (
    <>
      <FilterSelect
        label="State"
        all="Every state"
        value={filter.state}
        onValue={(state) => setFilter({ state: FILTERS.state.parse(state ?? "") })}
        options={STATES}
      />
      <AssistantFilter
        data-filter
        assistants={assistants}
        value={filter.assistant}
        onValue={(assistant) => setFilter({ assistant })}
      />
    </>
  );
}

function NoCrons({
  isFiltered,
  onClear,
  onMake,
}: {
  isFiltered: boolean;
  /** Clears the filters. */
  onClear: () => void;
  /** Opens the form of a new cron. */
  onMake: () => void;
}) {
  if (isFiltered) return <NoMatch what="cron" onClear={onClear} />;
  return (
    <Empty
      icon={<CalendarClock />}
      title="No crons yet"
      action={<Button onClick={onMake}>Schedule the first run</Button>}
    >
      A cron starts a run of an assistant at set times, such as every weekday at 07:30, with an input that you choose.
    </Empty>
  );
}
