"use client";

import { useRouter } from "next/navigation";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { forgetThread, rememberThread } from "#lib/client/recent-threads.ts";
import { type RoomApi, roomApi } from "#lib/client/rooms.ts";
import type { ListedThread } from "#lib/client/listed-threads.ts";
import { titleOf } from "#lib/client/threads.ts";
import { saveFile } from "#lib/client/save-file.ts";
import { isUuid } from "#lib/rules/uuid.ts";
import type { PassedProps } from "../_chat/passed.tsx";
import { Authenticated } from "../_auth/authenticated.tsx";
import type { Caller } from "../_auth/caller.ts";
import { ActFailure, DetailPage, Facts, Unread } from "../_rooms/detail-page.tsx";
import { useAct } from "../_ui/use-act.ts";
import { LoadedJson } from "../_rooms/loaded-json.tsx";
import { LoadedState } from "../_rooms/loaded-state.tsx";
import { namesOf } from "../_rooms/room-assistant.ts";
import type { RoomProps } from "../_rooms/room-props.ts";
import { useRefresh } from "../_rooms/use-refresh.ts";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Later } from "../_ui/later.tsx";
import { lazyDialog, lazyPart } from "../_ui/lazy-part.ts";
import { Moment } from "../_ui/moment.tsx";
import { Loading } from "../_ui/skeleton.tsx";
import { Tabs } from "../_ui/tabs.tsx";
import { useRead } from "../_ui/use-read.ts";
import { threadLinks } from "../_rooms/thread-links.ts";
import { ThreadPill } from "./thread-status.tsx";
import { NO_THREAD } from "./thread-words.ts";

const InboxDetail = lazyPart(() => import("./inbox-detail.tsx").then((part) => ({ default: part.InboxDetail })));
const Passed = lazyPart(() => import("../_chat/passed.tsx"));
const HistoryPanel = lazyPart(() => import("./history-panel.tsx").then((part) => ({ default: part.HistoryPanel })));
const MessagesPanel = lazyPart(() => import("./messages-panel.tsx").then((part) => ({ default: part.MessagesPanel })));
const RunsPanel = lazyPart(() => import("./runs-panel.tsx").then((part) => ({ default: part.RunsPanel })));
const ConfirmDialog = lazyDialog(() => import("../_ui/confirm-dialog.tsx"));

const tabs = ["state", "messages", "history", "runs", "metadata", "raw"] as const;
const TITLES: Record<(typeof tabs)[number], string> = {
  state: "State",
  messages: "Messages",
  history: "History",
  runs: "Runs",
  metadata: "Metadata",
  raw: "Raw",
};

interface ThreadViewProps extends RoomProps {
  thread: string;
}

export function ThreadView(props: ThreadViewProps) {
  const page = { label: "Thread", path: `threads/${encodeURIComponent(props.thread)}` };
  return (
    <Authenticated {...props} page={page}>
      {(caller) => <LoadedThread {...props} activeCaller={caller} />}
    </Authenticated>
  );
}

function LoadedThread({
  deployment,
  assistants,
  thread: id,
  activeCaller,
}: ThreadViewProps & { activeCaller: Caller }) {
  const api = useMemo(() => roomApi(apiBase(deployment)), [deployment]);
  const { value: found, failure, refresh } = useThread(api, deployment, id);
  const title = found ? titleOf(found) : "Thread";
  useEffect(() => {
    if (found) rememberThread(deployment, { id, title, where: "thread" });
    if (found === null) forgetThread(deployment, id);
  }, [deployment, id, found, title]);
  return (
    <DetailPage
      deployment={deployment}
      caller={activeCaller}
      list={{ label: "Threads", path: "threads" }}
      title={title}
      id={id}
      status={found ? <ThreadPill {...found} /> : null}
      actions={
        found ? (
          <ThreadPageActions api={api} deployment={deployment} thread={found} onChange={() => void refresh()} />
        ) : undefined
      }
    >
      <Unread
        what="thread"
        value={found}
        failure={failure}
        onRetry={() => void refresh()}
        list={`${deploymentPath(deployment)}/threads`}
        none={NO_THREAD}
      />
      {found ? (
        <Later fallback={<Loading what="the thread" className="h-60" />}>
          <ThreadContent
            api={api}
            deployment={deployment}
            assistants={assistants}
            thread={found}
            onChange={() => void refresh()}
          />
        </Later>
      ) : null}
    </DetailPage>
  );
}

/** Reads a thread without its values, again when runs begin or end. Null if there is none. */
function useThread(api: RoomApi, deployment: string, id: string) {
  const read = useCallback(async (): Promise<ListedThread | null> => {
    if (!isUuid(id)) return null;
    const page = await api.threads.page({ ids: [id] }, "", new AbortController().signal);
    return page.rows[0] ?? null;
  }, [api, id]);
  const state = useRead<ListedThread | null | undefined>(read, undefined);
  useRefresh(deployment, state.refresh);
  return state;
}

function ThreadPageActions({
  api,
  deployment,
  thread,
  onChange,
}: {
  api: RoomApi;
  deployment: string;
  thread: ListedThread;
  onChange: () => void;
}) {
  const router = useRouter();
  const [isDeleting, setDeleting] = useState(false);
  const { busy, failure, act } = useAct<"download" | "cancel">(onChange);
  const links = threadLinks(deployment, thread);
  const download = async (): Promise<void> => {
    const whole = await api.threads.get(thread.thread_id);
    saveFile(
      `thread-${thread.thread_id}.json`,
      new Blob([JSON.stringify(whole, null, 2)], { type: "application/json" }),
    );
  };
  return (
    <>
      {links.studio === undefined ? null : (
        <ButtonLink href={links.studio} prefetch={false}>
          Open in Studio
        </ButtonLink>
      )}
      <ButtonLink href={links.chat} prefetch={false}>
        Open in Chat
      </ButtonLink>
      <Button disabled={busy !== undefined} onClick={() => act("download", download())}>
        {busy === "download" ? "Preparing…" : "Download JSON"}
      </Button>
      {thread.status === "busy" ? (
        <Button disabled={busy !== undefined} onClick={() => act("cancel", api.threads.cancelRuns([thread.thread_id]))}>
          {busy === "cancel" ? "Cancelling…" : "Cancel runs"}
        </Button>
      ) : null}
      <Button variant="danger" onClick={() => setDeleting(true)}>
        Delete…
      </Button>
      <ActFailure reason={failure} />
      {isDeleting ? (
        <Suspense>
          <ConfirmDialog
            title="Delete this thread?"
            action="Delete"
            busy="Deleting…"
            onClose={() => setDeleting(false)}
            onConfirm={async () => {
              await api.threads.remove([thread.thread_id]);
              router.push(`${deploymentPath(deployment)}/threads`);
            }}
          >
            <span className="font-medium text-ink">{titleOf(thread)}</span> is deleted with all its messages,
            checkpoints and runs. Active runs are stopped. This cannot be undone.
          </ConfirmDialog>
        </Suspense>
      ) : null}
    </>
  );
}

function ThreadContent({
  api,
  deployment,
  assistants,
  thread,
  onChange,
}: {
  api: RoomApi;
  deployment: string;
  assistants: RoomProps["assistants"];
  thread: ListedThread;
  onChange: () => void;
}) {
  const { thread_id, updated_at, metadata, waiting, status } = thread;
  const [passed, setPassed] = useState<PassedProps>();
  const onAnswered = (): void => {
    setPassed(undefined);
    onChange();
  };
  const onPassed = (told: PassedProps): void => {
    setPassed(told);
    onChange();
  };
  const [tab, setTab] = useQueryState("tab", parseAsStringLiteral(tabs).withDefault("state"));
  const { name, graph } = namesOf(metadata, assistants);
  // A state that has changed is read again.
  const readMessages = useCallback(
    async () => (await api.threads.state(thread_id, undefined, ["values.messages"])).values,
    // oxlint-disable-next-line react/exhaustive-deps -- the time stands for the state
    [api, thread_id, updated_at],
  );
  const readRaw = useCallback(
    () => api.threads.get(thread_id),
    // oxlint-disable-next-line react/exhaustive-deps -- the time stands for the state
    [api, thread_id, updated_at],
  );
  const readMetadata = useCallback(() => Promise.resolve(metadata), [metadata]);
  return (
    <>
      <Facts
        facts={[
          ["Assistant", name || "—"],
          ["Graph", graph || "—"],
          ["Updated", <Moment key="updated" at={updated_at} />],
          ["Waits for a person", waiting && status !== "busy" ? "Yes" : "No"],
        ]}
      />
      <div className="mb-5 empty:hidden">
        {passed === undefined ? null : (
          <Suspense>
            <Passed {...passed} />
          </Suspense>
        )}
      </div>
      {waiting && status !== "busy" ? (
        <div className="mb-5">
          <Suspense fallback={<Loading what="the question" className="h-40 rounded-card" />}>
            <InboxDetail
              deployment={deployment}
              api={api}
              thread={thread}
              isPage
              onAnswered={onAnswered}
              onPassed={onPassed}
            />
          </Suspense>
        </div>
      ) : null}
      <Tabs
        label="Thread"
        tabs={tabs.map((value) => ({ value, title: TITLES[value] }))}
        value={tab}
        onValue={(value) => void setTab(value)}
      >
        {tab === "state" ? (
          <LoadedState
            api={api}
            thread={thread_id}
            version={updated_at}
            label="State"
            empty="Nothing has run on this thread yet."
          />
        ) : null}
        <Suspense fallback={<Loading what="the tab" className="h-60" />}>
          {tab === "messages" ? <MessagesPanel read={readMessages} /> : null}
          {tab === "history" ? <HistoryPanel api={api} thread={thread_id} version={updated_at} /> : null}
          {tab === "runs" ? (
            <RunsPanel api={api} deployment={deployment} thread={thread_id} version={updated_at} />
          ) : null}
        </Suspense>
        {tab === "metadata" ? <LoadedJson read={readMetadata} label="Metadata" empty="No metadata." /> : null}
        {tab === "raw" ? <LoadedJson read={readRaw} label="Thread as JSON" empty="" /> : null}
      </Tabs>
    </>
  );
}
