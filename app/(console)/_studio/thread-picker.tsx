"use client";

import { ChevronsUpDown, Plus } from "lucide-react";
import { useCallback, useEffect } from "react";
import { conversationStatus, type ThreadSummary, titleOf } from "#lib/client/threads.ts";
import { Moment } from "../_ui/moment.tsx";
import { PopoverButton, PopoverGroup, PopoverItem } from "../_ui/popover-button.tsx";
import { Skeleton } from "../_ui/skeleton.tsx";
import { Dot, type Tone } from "../_ui/status.tsx";
import { useRead } from "../_ui/use-read.ts";
import { useStudio } from "./studio-context.ts";

/** Shows which thread is open, and opens another one of this graph. */
export function ThreadPicker() {
  const { query } = useStudio();
  const end = query.thread?.slice(-4);
  return (
    <PopoverButton
      title={`${end === undefined ? "New thread" : `Thread ${end}`}: choose another`}
      label={
        <>
          {end === undefined ? (
            "New thread"
          ) : (
            <span className="font-mono text-code">
              <span className="max-sm:sr-only">Thread </span>
              {end}
            </span>
          )}
          <ChevronsUpDown className="size-3.5! text-ink-3" />
        </>
      }
    >
      {(close) => <ThreadChoices onClose={close} />}
    </PopoverButton>
  );
}

const WORDS: Record<ReturnType<typeof conversationStatus>, { tone: Tone; word: string }> = {
  running: { tone: "running", word: "Running" },
  waiting: { tone: "waiting", word: "Waiting for you" },
  failed: { tone: "bad", word: "Failed" },
  quiet: { tone: "neutral", word: "" },
};

const NONE: readonly ThreadSummary[] | undefined = undefined;

function ThreadChoices({ onClose }: { onClose: () => void }) {
  const { studio, graph, query, setQuery } = useStudio();
  const read = useCallback(() => studio.api.threads(graph), [studio, graph]);
  const { value, failure, refresh } = useRead<readonly ThreadSummary[] | undefined>(read, NONE);
  useEffect(() => void refresh(), [refresh]);
  const open = (thread: string | null) => {
    void setQuery({ thread, checkpoint: null, compare: null }, { history: "push" });
    onClose();
  };
  return (
    <>
      <PopoverItem onClick={() => open(null)}>
        <Plus /> New thread
      </PopoverItem>
      <PopoverGroup title={`Newest threads of ${graph}`}>
        {failure ? <p className="px-2.5 py-1.5 text-bad">{failure}</p> : null}
        {value === undefined && !failure ? <Skeleton className="mx-2.5 my-1.5 h-8" /> : null}
        {value?.length === 0 ? <p className="px-2.5 py-1.5 text-ink-2">None yet. The first run makes one.</p> : null}
        {value?.map((thread) => {
          const { tone, word } = WORDS[conversationStatus(thread)];
          return (
            <PopoverItem
              key={thread.thread_id}
              aria-current={thread.thread_id === query.thread ? "true" : undefined}
              onClick={() => open(thread.thread_id)}
              className="aria-current:bg-accent-soft"
            >
              <Dot tone={tone} />
              <span className="min-w-0 flex-1">
                <span className="block truncate">{titleOf(thread)}</span>
                <span className="block truncate text-small text-ink-3">
                  {word === "" ? null : `${word} · `}
                  <Moment at={thread.updated_at} /> · <span className="font-mono">{thread.thread_id.slice(-4)}</span>
                </span>
              </span>
            </PopoverItem>
          );
        })}
      </PopoverGroup>
    </>
  );
}
