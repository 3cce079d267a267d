"use client";

import { Plus } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import type { ThreadSummary } from "#lib/client/threads.ts";
import { titleOf } from "#lib/client/threads.ts";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { lazyDialog } from "../_ui/lazy-part.ts";
import type { ChatAssistant } from "./assistant.ts";
import { ThreadRow } from "./thread-row.tsx";
import type { ThreadList } from "./use-threads.ts";

const ConfirmDialog = lazyDialog(() => import("../_ui/confirm-dialog.tsx"));

/** Lists the threads of the deployment, with search, rename and delete. */
export function ThreadsPanel({
  list,
  assistants,
  current,
  hrefOf,
  newChat,
  onOpen,
  onDeleted,
}: {
  list: ThreadList;
  assistants: readonly ChatAssistant[];
  current: string | undefined;
  hrefOf: (thread: string) => string;
  newChat: string;
  /** Called when a thread is opened. */
  onOpen?: () => void;
  /** Called when a thread was deleted. */
  onDeleted: (thread: string) => void;
}) {
  const [text, setText] = useState("");
  const [renaming, setRenaming] = useState<string>();
  const [deleting, setDeleting] = useState<ThreadSummary>();
  const newLink = useRef<HTMLAnchorElement>(null);
  const words = text.trim().toLowerCase();
  const shown = words === "" ? list.threads : list.threads.filter((one) => matches(one, words));
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-13 shrink-0 items-center justify-between gap-2 pr-3 pl-4">
        <h2 className="font-semibold">Threads</h2>
        <ButtonLink ref={newLink} variant="quiet" href={newChat} onClick={onOpen} className="px-2!">
          <Plus /> New
        </ButtonLink>
      </div>
      <div className="px-3 pb-2">
        <input
          type="search"
          aria-label="Search threads"
          placeholder="Search"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            if (words === "" && list.threads.length < list.total) void list.all();
          }}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || text === "") return;
            event.preventDefault();
            setText("");
          }}
          className="h-8 w-full rounded-control border border-line-strong bg-background px-2.5 outline-offset-0 pointer-coarse:h-10 [&::-webkit-search-cancel-button]:hidden"
        />
      </div>
      {list.failure === undefined ? null : <Failure reason={list.failure} onRetry={() => void list.refresh()} />}
      <nav aria-label="Threads" className="min-h-0 flex-1 overflow-y-auto px-2 pb-3">
        {shown.length === 0 ? <NoThreads text={text.trim()} /> : null}
        <ul className="flex flex-col gap-0.5">
          {shown.map((thread) => (
            <ThreadRow
              key={thread.thread_id}
              thread={thread}
              assistant={nameOf(thread, assistants)}
              href={hrefOf(thread.thread_id)}
              isCurrent={thread.thread_id === current}
              isRenaming={thread.thread_id === renaming}
              onOpen={onOpen}
              onRename={() => setRenaming(thread.thread_id)}
              onRenamed={async (title) => {
                if (title !== undefined) await list.rename(thread.thread_id, title);
                setRenaming(undefined);
              }}
              onDelete={() => setDeleting(thread)}
            />
          ))}
        </ul>
        {words === "" && list.threads.length < list.total ? (
          <Button variant="quiet" onClick={() => void list.more()} className="mt-2 w-full">
            Show more
          </Button>
        ) : null}
      </nav>
      <output className="sr-only">{words === "" ? "" : countText(shown.length)}</output>
      {deleting ? (
        <Suspense>
          <ConfirmDialog
            title="Delete this thread?"
            action="Delete"
            busy="Deleting…"
            onClose={() => setDeleting(undefined)}
            onConfirm={async () => {
              await list.remove(deleting.thread_id);
              setDeleting(undefined);
              onDeleted(deleting.thread_id);
            }}
            nextFocus={() => newLink.current}
          >
            <span className="font-medium text-ink">{titleOf(deleting)}</span> is deleted with all its messages and
            checkpoints, and its active runs are stopped. This cannot be undone.
          </ConfirmDialog>
        </Suspense>
      ) : null}
    </div>
  );
}

function matches(thread: ThreadSummary, words: string): boolean {
  return titleOf(thread).toLowerCase().includes(words);
}

function nameOf({ metadata: { assistant_id, graph_id } }: ThreadSummary, assistants: readonly ChatAssistant[]): string {
  const found = assistants.find((one) => one.assistantId === assistant_id || one.id === assistant_id);
  return found?.name ?? (typeof graph_id === "string" ? graph_id : "");
}

const countText = (count: number): string => (count === 1 ? "1 thread" : `${count} threads`);

function NoThreads({ text }: { text: string }) {
  return (
    <p className="px-2 py-1.5 text-small break-words text-ink-2">
      {text === "" ? "None yet. Your first message starts one." : `No thread is called “${text}”.`}
    </p>
  );
}

function Failure({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  return (
    <div role="alert" className="mx-3 mb-2 rounded-control bg-bad-soft p-2.5 text-small">
      <p className="font-medium text-bad">The threads could not be loaded</p>
      <p className="my-1 break-words text-ink-2">{reason} The list may be out of date.</p>
      <Button onClick={onRetry}>Retry</Button>
    </div>
  );
}
