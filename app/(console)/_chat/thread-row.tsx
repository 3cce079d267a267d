"use client";

import { Pencil, Trash2 } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type ConversationStatus, conversationStatus, type ThreadSummary, titleOf } from "#lib/client/threads.ts";
import { errorMessage } from "#lib/rules/text/error-message.ts";
import { IconButton } from "../_ui/button.tsx";
import { Moment } from "../_ui/moment.tsx";
import { PageLink } from "../_ui/page-link.tsx";
import { Dot, type Tone } from "../_ui/status.tsx";

const STATUSES: Record<Exclude<ConversationStatus, "quiet">, { tone: Tone; word: string; ink: string }> = {
  running: { tone: "running", word: "Running", ink: "text-running" },
  waiting: { tone: "waiting", word: "Waiting for you", ink: "text-waiting" },
  failed: { tone: "bad", word: "Failed", ink: "text-bad" },
};

interface ThreadRowProps {
  thread: ThreadSummary;
  assistant: string;
  href: string;
  isCurrent: boolean;
  isRenaming: boolean;
  onOpen?: () => void;
  onRename: () => void;
  /** Called with the new title, or without one if the title stays. */
  onRenamed: (title?: string) => Promise<void>;
  onDelete: () => void;
}

export function ThreadRow(props: ThreadRowProps) {
  const { thread, isCurrent, isRenaming } = props;
  const row = useRef<HTMLLIElement>(null);
  const wasRenaming = useRef(false);
  // The focus returns to the link when the field is removed, unless the user has moved it.
  useEffect(() => {
    if (wasRenaming.current && !isRenaming && document.activeElement === document.body) {
      row.current?.querySelector("a")?.focus();
    }
    wasRenaming.current = isRenaming;
  }, [isRenaming]);
  const fill = isCurrent ? "bg-accent-soft" : "hover:bg-well focus-within:bg-well";
  return (
    <li ref={row} className={`group/row relative flex min-h-13 items-center rounded-control transition-colors ${fill}`}>
      {isRenaming ? <NameField title={titleOf(thread)} onRenamed={props.onRenamed} /> : <ThreadLink {...props} />}
    </li>
  );
}

function ThreadLink({ thread, assistant, href, isCurrent, onOpen, onRename, onDelete }: ThreadRowProps) {
  const title = titleOf(thread);
  const standing = conversationStatus(thread);
  const status = standing === "quiet" ? undefined : STATUSES[standing];
  return (
    <>
      <PageLink
        href={href}
        prefetch={false}
        onClick={onOpen}
        aria-current={isCurrent ? "page" : undefined}
        className="min-w-0 flex-1 rounded-control px-2.5 py-2"
      >
        <span title={title} className={`block truncate font-medium ${isCurrent ? "text-accent" : ""}`}>
          {title}
        </span>
        <span className="flex items-center gap-1 text-small text-ink-2">
          {status ? (
            <span className={`inline-flex shrink-0 items-center gap-1.5 ${status.ink}`}>
              <Dot tone={status.tone} /> {status.word}
            </span>
          ) : (
            <Moment at={thread.updated_at} />
          )}
          {assistant === "" ? null : <span className="truncate">· {assistant}</span>}
        </span>
      </PageLink>
      {/* The actions appear on hover and focus, but are always shown on touch screens. */}
      <div className="flex pr-1 not-pointer-coarse:absolute not-pointer-coarse:right-0 not-pointer-coarse:rounded-control not-pointer-coarse:bg-inherit not-pointer-coarse:opacity-0 not-pointer-coarse:group-focus-within/row:opacity-100 not-pointer-coarse:group-hover/row:opacity-100">
        <IconButton size="small" label={`Rename ${title}`} onClick={onRename}>
          <Pencil />
        </IconButton>
        <IconButton size="small" label={`Delete ${title}`} onClick={onDelete}>
          <Trash2 />
        </IconButton>
      </div>
    </>
  );
}

/** Edits a title. Enter and blur save it, Esc discards it. */
function NameField({ title, onRenamed }: { title: string; onRenamed: (title?: string) => Promise<void> }) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(title);
  const [failure, setFailure] = useState<string>();
  const isDone = useRef(false);
  useEffect(() => field.current?.select(), []);

  const finish = (next: string) => {
    if (isDone.current) return;
    isDone.current = true;
    const isSame = next.trim() === "" || next.trim() === title;
    onRenamed(isSame ? undefined : next.trim()).catch((error: unknown) => {
      isDone.current = false;
      setFailure(errorMessage(error));
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") finish(text);
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    finish(title);
  };
  return (
    <div className="min-w-0 flex-1 p-1.5">
      <input
        ref={field}
        aria-label={`New name of ${title}`}
        aria-invalid={failure !== undefined}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => finish(text)}
        className="h-9 w-full rounded-control border border-accent bg-background px-2 font-medium outline-offset-0"
      />
      {failure === undefined ? null : (
        <p role="alert" className="pt-1 text-small break-words text-bad">
          Not renamed: {failure}
        </p>
      )}
    </div>
  );
}
