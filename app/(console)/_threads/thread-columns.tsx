import { MessageCircle, Workflow } from "lucide-react";
import type { ReactNode } from "react";
import type { ListedThread } from "#lib/client/listed-threads.ts";
import { AssistantNames } from "../_rooms/assistant-names.tsx";
import { namesOf, type RoomAssistant } from "../_rooms/room-assistant.ts";
import { threadLinks } from "../_rooms/thread-links.ts";
import type { Column } from "../_table/columns.ts";
import { Moment } from "../_ui/moment.tsx";
import { PageLink } from "../_ui/page-link.tsx";
import { ThreadPill } from "./thread-status.tsx";
import { waitsFor } from "./waits-for.ts";

const ICON =
  "relative z-1 inline-flex size-8 items-center justify-center rounded-control text-ink-3 hover:bg-well hover:text-ink pointer-coarse:size-10 [&_svg]:size-4";

export function threadColumns(
  deployment: string,
  assistants: readonly RoomAssistant[],
): readonly Column<ListedThread>[] {
  return [
    {
      id: "waits",
      header: "Waits for",
      meta: { cell: "hidden min-w-0 flex-1 xl:block" },
      cell: ({ row }) => {
        const question = waitsFor(row.original);
        return (
          <div className="truncate text-ink-2" title={question}>
            {question ?? ""}
          </div>
        );
      },
    },
    {
      id: "status",
      header: "Status",
      meta: { cell: "hidden w-28 shrink-0 sm:block" },
      cell: ({ row }) => <ThreadPill {...row.original} />,
    },
    {
      id: "assistant",
      header: "Assistant",
      meta: { cell: "hidden w-36 shrink-0 lg:block" },
      cell: ({ row }) => <AssistantNames {...namesOf(row.original.metadata, assistants)} />,
    },
    {
      id: "updated",
      header: "Updated",
      meta: { cell: "hidden w-24 shrink-0 text-ink-2 md:block" },
      cell: ({ row }) => <Moment at={row.original.updated_at} />,
    },
    {
      id: "open",
      header: "Open",
      meta: { cell: "flex w-16 shrink-0 justify-end max-sm:hidden", isUntitled: true },
      cell: ({ row }) => <OpenLinks deployment={deployment} thread={row.original} />,
    },
  ];
}

function OpenLinks({ deployment, thread }: { deployment: string; thread: ListedThread }) {
  const { chat, studio } = threadLinks(deployment, thread);
  return (
    <>
      {studio === undefined ? null : (
        <IconLink href={studio} label="Open in Studio">
          <Workflow />
        </IconLink>
      )}
      <IconLink href={chat} label="Open in Chat">
        <MessageCircle />
      </IconLink>
    </>
  );
}

function IconLink({ href, label, children }: { href: string; label: string; children: ReactNode }) {
  return (
    <PageLink href={href} prefetch={false} tabIndex={-1} aria-label={label} title={label} className={ICON}>
      {children}
    </PageLink>
  );
}
