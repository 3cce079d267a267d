"use client";

import { Inbox, MessagesSquare } from "lucide-react";
import { useQueryStates } from "nuqs";
import { type ReactNode, Suspense, useMemo, useState } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { roomApi } from "#lib/client/rooms.ts";
import type { ListedThread } from "#lib/client/listed-threads.ts";
import { titleOf } from "#lib/client/threads.ts";
import { counted, grouped } from "#lib/rules/text/counted.ts";
import type { PassedProps } from "../_chat/passed.tsx";
import { Authenticated } from "../_auth/authenticated.tsx";
import type { Caller } from "../_auth/caller.ts";
import { namesOf } from "../_rooms/room-assistant.ts";
import { Empty, NoMatch } from "../_rooms/empty.tsx";
import { ListFailure, RoomPage } from "../_rooms/room-page.tsx";
import type { RoomProps } from "../_rooms/room-props.ts";
import { useSelection } from "../_table/use-selection.ts";
import { VirtualTable } from "../_table/virtual-table.tsx";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { lazyPart, preload } from "../_ui/lazy-part.ts";
import { Moment } from "../_ui/moment.tsx";
import { Segments } from "../_ui/segments.tsx";
import { Skeleton } from "../_ui/skeleton.tsx";
import { ThreadActions } from "./thread-actions.tsx";
import { threadLinks } from "../_rooms/thread-links.ts";
import { threadColumns } from "./thread-columns.tsx";
import { THREAD_FILTERS } from "./thread-filter.ts";
import { ThreadFilters } from "./thread-filters.tsx";
import { ThreadPill } from "./thread-status.tsx";
import { keyOf, useThreadRows } from "./use-thread-rows.ts";
import { waitsFor } from "./waits-for.ts";

const InboxDetail = lazyPart(() => import("./inbox-detail.tsx").then((part) => ({ default: part.InboxDetail })));
const Passed = lazyPart(() => import("../_chat/passed.tsx"));
preload(InboxDetail.load);

const PAGE = { label: "Threads", path: "threads" };

export function ThreadsView(props: RoomProps) {
  return (
    <Authenticated {...props} page={PAGE}>
      {(caller) => <Threads {...props} activeCaller={caller} />}
    </Authenticated>
  );
}

function Threads({ deployment, assistants, activeCaller }: RoomProps & { activeCaller: Caller }) {
  const api = useMemo(() => roomApi(apiBase(deployment)), [deployment]);
  const [filter, setFilter] = useQueryStates(THREAD_FILTERS);
  const isInbox = filter.view === "inbox";
  const { rows, total, waiting, isFiltered, refresh } = useThreadRows(api, deployment, filter);
  const selection = useSelection(keyOf);
  const columns = useMemo(() => threadColumns(deployment, assistants), [deployment, assistants]);
  const [answered, setAnswered] = useState("");
  const [passed, setPassed] = useState<PassedProps>();
  const detailOf = (thread: ListedThread): ReactNode => (
    <Suspense fallback={<Skeleton className="h-32 rounded-card" />}>
      <InboxDetail
        deployment={deployment}
        api={api}
        thread={thread}
        onAnswered={() => {
          setAnswered(`Answered: ${titleOf(thread)}`);
          void setFilter({ open: null });
          refresh();
        }}
        onPassed={(told) => {
          setPassed({ ...told, where: titleOf(thread) });
          refresh();
        }}
      />
    </Suspense>
  );
  const hrefOf = (thread: ListedThread): string => threadLinks(deployment, thread).page;
  return (
    <RoomPage
      deployment={deployment}
      caller={activeCaller}
      title="Threads"
      path="threads"
      count={total === undefined ? "" : counted(total, "thread")}
      actions={
        <Segments
          label="View"
          value={filter.view}
          onValue={(view) => void setFilter({ view, open: null })}
          options={[
            { value: "all", label: "All" },
            { value: "inbox", label: waiting ? `Inbox · ${grouped(waiting)}` : "Inbox" },
          ]}
        />
      }
    >
      <ThreadFilters filter={filter} setFilter={(change) => void setFilter(change)} assistants={assistants} />
      <ThreadActions api={api} selection={selection} onChange={refresh} />
      <output className="sr-only">{answered}</output>
      {passed === undefined ? null : (
        <Suspense>
          <Passed {...passed} />
        </Suspense>
      )}
      <ListFailure what="The threads" rows={rows} />
      {rows.isLoaded && rows.count === 0 && !rows.hasMore ? (
        <NoThreads
          deployment={deployment}
          isInbox={isInbox}
          isFiltered={isFiltered}
          setFilter={(change) => void setFilter(change)}
        />
      ) : (
        <VirtualTable
          label={isInbox ? "Inbox" : "Threads"}
          rows={rows}
          keyOf={keyOf}
          title="Thread"
          columns={columns}
          selection={selection}
          labelOf={(thread) => ({
            title: titleOf(thread),
            note: (
              <>
                {/* The question has its own column on wide screens. */}
                {isInbox ? <span className="xl:hidden">{waitsFor(thread) ?? "Waits no longer"}</span> : null}
                <span className={`font-mono ${isInbox ? "max-xl:hidden" : ""}`}>{thread.thread_id}</span>
              </>
            ),
            narrow: (
              <>
                <ThreadPill {...thread} /> <Moment at={thread.updated_at} />
                <span className="truncate">{namesOf(thread.metadata, assistants).name}</span>
              </>
            ),
          })}
          opened={filter.open ?? undefined}
          onOpen={(open) => {
            setPassed(undefined);
            void setFilter({ open: open ?? null });
          }}
          {...(isInbox ? { detailOf } : { hrefOf })}
        />
      )}
    </RoomPage>
  );
}

function NoThreads({
  deployment,
  isInbox,
  isFiltered,
  setFilter,
}: {
  deployment: string;
  isInbox: boolean;
  isFiltered: boolean;
  setFilter: (change: { view?: null; q?: null; status?: null; assistant?: null }) => void;
}) {
  if (isFiltered) {
    return <NoMatch what="thread" onClear={() => setFilter({ q: null, status: null, assistant: null })} />;
  }
  if (isInbox) {
    return (
      <Empty
        icon={<Inbox />}
        title="Nothing waits for you"
        action={<Button onClick={() => setFilter({ view: null })}>All threads</Button>}
      >
        A graph can stop to ask a person, for example to approve a refund. Its thread then appears here, and you answer
        in place.
      </Empty>
    );
  }
  const base = deploymentPath(deployment);
  return (
    <Empty
      icon={<MessagesSquare />}
      title="No threads yet"
      action={
        <>
          <ButtonLink href={`${base}/chat`}>Start a chat</ButtonLink>
          <ButtonLink href={`${base}/studio`}>Open the Studio</ButtonLink>
        </>
      }
    >
      A thread keeps the state of a conversation. Each new chat makes one, and so do a run in the Studio and{" "}
      <code className="font-mono text-code">POST /threads</code>.
    </Empty>
  );
}
