"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { useRouter } from "next/navigation";
import { Suspense, useMemo } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { type RoomApi, roomApi } from "#lib/client/rooms.ts";
import type { Run } from "#lib/protocol/runs.ts";
import type { RunError } from "#lib/protocol/stream.ts";
import { Authenticated } from "../_auth/authenticated.tsx";
import type { Caller } from "../_auth/caller.ts";
import { JsonBox } from "../_rooms/json-box.tsx";
import { ActFailure, DetailPage, Facts, Unread } from "../_rooms/detail-page.tsx";
import { useAct } from "../_ui/use-act.ts";
import { assistantOf } from "../_rooms/room-assistant.ts";
import type { RoomProps } from "../_rooms/room-props.ts";
import { threadLinks } from "../_rooms/thread-links.ts";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { Card } from "../_ui/card.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { lazyPart } from "../_ui/lazy-part.ts";
import { Moment, useRenderTime } from "../_ui/moment.tsx";
import { Notice } from "../_ui/notice.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { Tabs } from "../_ui/tabs.tsx";
import { retryRequest } from "./retry.ts";
import { runHref } from "./run-columns.tsx";
import { RunPill, triggerWord } from "./run-status.tsx";
import { KEPT_STEPS, NO_RUN, NO_RUN_MORE } from "./run-words.ts";
import { RunDuration } from "./run-duration.tsx";
import { runTimes } from "./run-times.ts";
import { type ReadRun, useRun } from "./use-run.ts";
import { Waterfall } from "./waterfall.tsx";

const EventsPanel = lazyPart(() => import("./events-panel.tsx"));
const LoadedState = lazyPart(() =>
  import("../_rooms/loaded-state.tsx").then((part) => ({ default: part.LoadedState })),
);

const tabs = ["steps", "input", "output", "events", "raw"] as const;
const TITLES: Record<(typeof tabs)[number], string> = {
  steps: "Steps",
  input: "Input",
  output: "Output",
  events: "Events",
  raw: "Raw",
};

interface RunViewProps extends RoomProps {
  run: string;
}

export function RunView(props: RunViewProps) {
  const { run } = props;
  const page = { label: "Run", path: `runs/${encodeURIComponent(run)}` };
  return (
    <Authenticated {...props} page={page}>
      {(caller) => {
        const frame = { deployment: props.deployment, caller, list: { label: "Runs", path: "runs" }, id: run };
        return <LoadedRun {...props} frame={frame} />;
      }}
    </Authenticated>
  );
}

interface Frame {
  deployment: string;
  caller: Caller;
  list: { label: string; path: string };
  id: string;
}

function LoadedRun({ deployment, assistants, run: id, frame }: RunViewProps & { frame: Frame }) {
  const api = useMemo(() => roomApi(apiBase(deployment)), [deployment]);
  const { value: found, failure, refresh } = useRun(api, deployment, id);
  const name = found ? (assistantOf(found.run.assistant_id, assistants)?.name ?? "Deleted assistant") : "Run";
  return (
    <DetailPage
      {...frame}
      title={name}
      status={found ? <RunPill status={found.run.status} /> : null}
      actions={
        found && found.kept !== "run" ? (
          <RunActions
            api={api}
            deployment={deployment}
            run={found.run}
            assistants={assistants}
            onChange={() => void refresh()}
          />
        ) : undefined
      }
    >
      <Unread
        what="run"
        value={found}
        failure={failure}
        onRetry={() => void refresh()}
        list={runsPath(deployment)}
        none={NO_RUN}
      />
      {found ? <RunContent api={api} deployment={deployment} found={found} /> : null}
    </DetailPage>
  );
}

const NO_STATE = "The run had no thread that stays, so its state is not stored.";
const runsPath = (deployment: string): string => `${deploymentPath(deployment)}/runs`;

function RunActions({
  api,
  deployment,
  run,
  assistants,
  onChange,
}: {
  api: RoomApi;
  deployment: string;
  run: Run;
  assistants: RoomProps["assistants"];
  onChange: () => void;
}) {
  const router = useRouter();
  const { busy, failure, act } = useAct<"retry" | "cancel">(onChange);
  const retry = async (): Promise<void> => {
    const request = retryRequest(run);
    const started = run.kwargs.temporary
      ? await api.runs.start(request)
      : await api.threads.start(run.thread_id, request);
    router.push(runHref(deployment, started));
  };
  const isOpen = run.status === "pending" || run.status === "running";
  const graph = assistantOf(run.assistant_id, assistants)?.graph;
  const links = threadLinks(deployment, { thread_id: run.thread_id, metadata: { graph_id: graph } });
  return (
    <>
      <Button disabled={busy !== undefined} onClick={() => act("retry", retry())}>
        {busy === "retry" ? "Starting…" : "Retry"}
      </Button>
      {isOpen ? (
        <Button
          variant="danger"
          disabled={busy !== undefined}
          onClick={() => act("cancel", api.runs.cancel(run.thread_id, run.run_id))}
        >
          {busy === "cancel" ? "Cancelling…" : "Cancel"}
        </Button>
      ) : null}
      {run.kwargs.temporary ? null : (
        <>
          <ButtonLink href={links.page} prefetch={false}>
            Thread
          </ButtonLink>
          {links.studio === undefined ? null : (
            <ButtonLink href={links.studio} prefetch={false}>
              Open in Studio
            </ButtonLink>
          )}
          <ButtonLink href={links.chat} prefetch={false}>
            Open in Chat
          </ButtonLink>
        </>
      )}
      <ActFailure reason={failure} />
    </>
  );
}

function RunContent({ api, deployment, found }: { api: RoomApi; deployment: string; found: ReadRun }) {
  const { run, bars, checkpoint, kept } = found;
  const now = Math.max(useRenderTime(), ...bars.map((bar) => bar.to ?? bar.from));
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(tabs).withDefault("steps"));
  const times = runTimes(run);
  return (
    <>
      {kept === "run" ? (
        <div className="mb-5">
          <Notice alert tone="neutral" title="This run is no longer stored">
            {NO_RUN_MORE}
          </Notice>
        </div>
      ) : null}
      {run.error ? <RunFailure {...run.error} /> : null}
      <Facts
        facts={[
          ["Trigger", triggerWord(run.trigger)],
          ["Created", <Moment key="created" at={run.created_at} />],
          ["Wait", times.wait ?? "—"],
          ["Duration", run.started_at === null ? "—" : <RunDuration key="duration" run={run} />],
          ["First token", times.firstToken ?? "—"],
          ["Attempts", run.attempts],
          ["Thread", <ThreadId key="thread" run={run} />],
          ["Multitask strategy", run.multitask_strategy],
        ]}
      />
      <Tabs
        label="Run"
        tabs={tabs.map((value) => ({ value, title: TITLES[value] }))}
        value={tab}
        onValue={(value) => void setTab(value)}
      >
        {tab === "steps" ? (
          <Card
            title="Nodes over time"
            className="overflow-hidden"
            aside={<span className="text-small text-ink-3">nodes of one step share its time</span>}
          >
            {kept === "steps" ? <p className="px-4 pb-4 text-ink-2">{KEPT_STEPS}</p> : null}
            {bars.length > 0 ? (
              <Waterfall bars={bars} now={now} />
            ) : (
              <p className="px-4 pb-4 text-ink-2">
                {run.kwargs.temporary ? NO_STATE : "No steps of this run are stored."}
              </p>
            )}
          </Card>
        ) : null}
        {tab === "input" ? <JsonBox value={inputOf(run)} label="Input" /> : null}
        {tab === "output" ? <Output api={api} run={run} checkpoint={checkpoint} /> : null}
        {tab === "events" ? (
          <Suspense fallback={<Loading what="the events" className="h-96 rounded-card" />}>
            <EventsPanel base={apiBase(deployment)} run={run.run_id} isOpen={run.ended_at === null} />
          </Suspense>
        ) : null}
        {tab === "raw" ? <JsonBox value={run} label="Run as JSON" /> : null}
      </Tabs>
    </>
  );
}

function Output({ api, run, checkpoint }: { api: RoomApi; run: Run; checkpoint: string | undefined }) {
  const empty = run.kwargs.temporary ? NO_STATE : "The run has stored no state yet.";
  if (checkpoint === undefined) return <p className="text-ink-2">{empty}</p>;
  return (
    <Suspense fallback={<Loading what="the output" className="h-40 rounded-card" />}>
      <LoadedState api={api} thread={run.thread_id} checkpoint={checkpoint} label="Output" empty={empty} />
    </Suspense>
  );
}

function ThreadId({ run: { thread_id, kwargs } }: { run: Run }) {
  if (kwargs.temporary) return "none that stays";
  return (
    <code className="font-mono text-code" title={thread_id}>
      {thread_id}
    </code>
  );
}

/** Returns the input, or the command of a run that resumed its thread. */
function inputOf({ kwargs: { input, command } }: Run): unknown {
  return command ? { command, ...(input !== null && input !== undefined && { input }) } : (input ?? null);
}

function RunFailure({ error, message, source }: RunError) {
  const place = source && `${source.file}:${source.line}`;
  return (
    <div className="mb-5">
      <Notice
        tone="bad"
        title={error}
        action={
          <CopyButton
            text={[`${error}: ${message}`, place].filter(Boolean).join("\n")}
            label="Copy error"
            variant="quiet"
          >
            Copy error
          </CopyButton>
        }
      >
        <pre className="max-h-96 overflow-auto font-mono text-code break-words whitespace-pre-wrap text-ink">
          {message}
        </pre>
        {place ? <p className="mt-1 font-mono text-code wrap-anywhere">{place}</p> : null}
      </Notice>
    </div>
  );
}
