"use client";

import { ListVideo } from "lucide-react";
import { useQueryStates } from "nuqs";
import { useCallback, useEffect, useMemo } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { type RoomApi, roomApi } from "#lib/client/rooms.ts";
import type { ListedRun } from "#lib/client/runs.ts";
import type { JsonObject } from "#lib/protocol/json.ts";
import { counted } from "#lib/rules/text/counted.ts";
import { Authenticated } from "../_auth/authenticated.tsx";
import type { Caller } from "../_auth/caller.ts";
import { FilterField } from "../_rooms/filter-field.tsx";
import { AssistantFilter, FilterSelect } from "../_rooms/filter-select.tsx";
import { assistantOf } from "../_rooms/room-assistant.ts";
import { Empty, NoMatch } from "../_rooms/empty.tsx";
import { ListFailure, RoomPage } from "../_rooms/room-page.tsx";
import type { RoomProps } from "../_rooms/room-props.ts";
import { SelectionBar } from "../_rooms/selection-bar.tsx";
import { useFollowedThreads } from "../_rooms/use-followed-threads.ts";
import { useSettled } from "../_rooms/use-settled.ts";
import { usePageList } from "../_table/use-page-list.ts";
import { type Selection, useSelection } from "../_table/use-selection.ts";
import { VirtualTable } from "../_table/virtual-table.tsx";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Moment } from "../_ui/moment.tsx";
import { Notice } from "../_ui/notice.tsx";
import { useAct } from "../_ui/use-act.ts";
import { useRead } from "../_ui/use-read.ts";
import { RUN_COLUMNS, runHref } from "./run-columns.tsx";
import { RunDuration } from "./run-duration.tsx";
import { RANGES, RUN_FILTERS, type RunFilter, runFilterBody, runFilterProblem } from "./run-filter.ts";
import { RUN_STATUS, RunPill, triggerWords } from "./run-status.tsx";

const PAGE = { label: "Runs", path: "runs" };
const keyOf = ({ run_id }: ListedRun): string => run_id;

export function RunsView(props: RoomProps) {
  return (
    <Authenticated {...props} page={PAGE}>
      {(caller) => <Runs {...props} activeCaller={caller} />}
    </Authenticated>
  );
}

function Runs({ deployment, assistants, activeCaller }: RoomProps & { activeCaller: Caller }) {
  const api = useMemo(() => roomApi(apiBase(deployment)), [deployment]);
  const [filter, setFilter] = useQueryStates(RUN_FILTERS);
  const { range } = filter;
  const wanted = useSettled(JSON.stringify(runFilterBody(filter)));
  const bodyNow = useCallback(
    (): JsonObject => ({
      ...(JSON.parse(wanted) as JsonObject),
      ...(range && { created_after: new Date(Date.now() - RANGES[range].ms).toISOString() }),
    }),
    [wanted, range],
  );
  const rows = usePageList(
    useCallback((cursor, signal) => api.runs.page(bodyNow(), cursor, signal), [api, bodyNow]),
    keyOf,
  );
  const { value: total, refresh: refreshTotal } = useRead<number | undefined>(
    useCallback(() => api.runs.count(bodyNow()), [api, bodyNow]),
    undefined,
  );
  const refresh = (): void => void Promise.all([rows.refresh(), refreshTotal()]);
  const isFollowed = useFollowedThreads(deployment, { onOpen: () => void rows.refresh(), onChange: refresh });
  useEffect(() => {
    if (isFollowed) void refreshTotal();
  }, [isFollowed, refreshTotal]);
  const selection = useSelection(keyOf);
  const nameOf = (run: ListedRun): string => assistantOf(run.assistant_id, assistants)?.name ?? "Deleted assistant";
  return (
    <RoomPage
      deployment={deployment}
      caller={activeCaller}
      title="Runs"
      path="runs"
      count={total === undefined ? "" : counted(total, "run")}
    >
      <Filters filter={filter} setFilter={(change) => void setFilter(change)} assistants={assistants} />
      <RunActions api={api} selection={selection} onChange={refresh} />
      <ListFailure what="The runs" rows={rows} />
      {rows.isLoaded && rows.count === 0 && !rows.hasMore ? (
        <NoRuns
          deployment={deployment}
          isFiltered={wanted !== "{}" || range !== null}
          onClear={() => void setFilter(null)}
        />
      ) : (
        <VirtualTable
          label="Runs"
          rows={rows}
          keyOf={keyOf}
          title="Run"
          columns={RUN_COLUMNS}
          selection={selection}
          hrefOf={(run) => runHref(deployment, run)}
          labelOf={(run) => ({
            title: nameOf(run),
            note: <span className="font-mono">{run.run_id}</span>,
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
      )}
    </RoomPage>
  );
}

function Filters({
  filter,
  setFilter,
  assistants,
}: {
  filter: RunFilter;
  setFilter: (change: { [Name in keyof typeof RUN_FILTERS]?: ReturnType<(typeof RUN_FILTERS)[Name]["parse"]> }) => void;
  assistants: RoomProps["assistants"];
}) {
  return (
    <div className="flex flex-wrap items-start gap-2">
      <FilterField
        label="Filter runs"
        placeholder='Thread id, or metadata as key:value, key:"two words"'
        value={filter.q}
        onValue={(q) => setFilter({ q: q === "" ? null : q })}
        problem={runFilterProblem(filter.q)}
      />
      <FilterSelect
        label="Status"
        all="Every status"
        value={filter.status}
        onValue={(status) => setFilter({ status: RUN_FILTERS.status.parse(status ?? "") })}
        options={Object.entries(RUN_STATUS).map(([status, { word }]) => [status, word])}
      />
      <AssistantFilter
        assistants={assistants}
        value={filter.assistant}
        onValue={(assistant) => setFilter({ assistant })}
      />
      <FilterSelect
        label="Trigger"
        all="Every trigger"
        value={filter.trigger}
        onValue={(trigger) => setFilter({ trigger })}
        options={triggerWords}
      />
      <FilterSelect
        label="Time"
        all="All time"
        value={filter.range}
        onValue={(range) => setFilter({ range: RUN_FILTERS.range.parse(range ?? "") })}
        options={Object.entries(RANGES).map(([range, { words }]) => [range, words])}
      />
    </div>
  );
}

function RunActions({
  api,
  selection,
  onChange,
}: {
  api: RoomApi;
  selection: Selection<ListedRun>;
  onChange: () => void;
}) {
  const { busy, failure, act } = useAct<"cancel">(onChange);
  const cancel = async (): Promise<void> => {
    for (const { thread_id, run_id } of selection.rows.values()) await api.runs.cancel(thread_id, run_id);
    selection.clear();
  };
  return (
    <>
      {failure === undefined ? null : (
        <Notice alert tone="bad" title="Not all runs were cancelled">
          {failure}
        </Notice>
      )}
      <SelectionBar count={selection.rows.size} onClear={selection.clear}>
        <Button disabled={busy !== undefined} onClick={() => act("cancel", cancel())}>
          {busy ? "Cancelling…" : "Cancel runs"}
        </Button>
      </SelectionBar>
    </>
  );
}

function NoRuns({
  deployment,
  isFiltered,
  onClear,
}: {
  deployment: string;
  isFiltered: boolean;
  /** Clears the filters. */
  onClear: () => void;
}) {
  if (isFiltered) return <NoMatch what="run" onClear={onClear} />;
  const base = deploymentPath(deployment);
  return (
    <Empty
      icon={<ListVideo />}
      title="No runs yet"
      action={
        <>
          <ButtonLink href={`${base}/studio`}>Open the Studio</ButtonLink>
          <ButtonLink href={base}>Call the API</ButtonLink>
        </>
      }
    >
      A run is one execution of an assistant. The Studio and the chat start runs, and so do callers of the API, A2A
      clients and crons.
    </Empty>
  );
}
