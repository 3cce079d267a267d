"use client";

import { Braces, FileText, X } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { fileSize } from "#lib/client/measures.ts";
import { sizeOf, TOGETHER_BYTES } from "#lib/rules/threads/attachment-limits.ts";
import type { Attachment } from "#lib/rules/threads/attachments.ts";
import { viewOf } from "#lib/rules/threads/content.ts";
import { DataImage } from "../_ui/data-image.tsx";

/** Shows the files of the message that is being written, each with a button that removes it. */
export function DraftFiles({
  attachments,
  isReading,
  onRemove,
  onEmpty,
}: {
  attachments: readonly Attachment[];
  isReading: boolean;
  onRemove: (attachment: Attachment) => void;
  /** Called when the last file was removed, so that the focus can go to the field. */
  onEmpty: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const remove = (attachment: Attachment, place: number) => {
    onRemove(attachment);
    if (attachments.length === 1) return onEmpty();
    const next = place === attachments.length - 1 ? place - 1 : place;
    requestAnimationFrame(() => list.current?.querySelectorAll("button")[next]?.focus());
  };
  const together = attachments.reduce((sum, one) => sum + sizeOf(one), 0);
  return (
    <div className="px-2.5 pt-2.5">
      <ul ref={list} aria-label="Attached files" className="flex max-h-48 flex-wrap gap-2 overflow-y-auto">
        {attachments.map((attachment, place) => (
          <Chip key={attachment.name || place} attachment={attachment} onRemove={() => remove(attachment, place)} />
        ))}
      </ul>
      <output className="block pt-1.5 text-small text-ink-3">
        {isReading ? "Reading…" : `${fileSize(together)} of ${fileSize(TOGETHER_BYTES)}`}
      </output>
    </div>
  );
}

function Chip({ attachment, onRemove }: { attachment: Attachment; onRemove: () => void }) {
  const view = viewOf(attachment.block);
  const name = attachment.name || (view.kind === "image" ? "Image" : "Content");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    onRemove();
  };
  return (
    <li className="flex h-11 max-w-full items-center gap-2.5 rounded-control border border-line bg-surface pr-1 pl-1.5 sm:max-w-64">
      <span className="flex size-8 shrink-0 items-center justify-center overflow-hidden rounded-[6px] bg-well text-ink-3 [&>svg]:size-4">
        {view.kind === "image" ? (
          <DataImage src={view.url} alt="" className="size-full object-cover" />
        ) : view.kind === "text" ? (
          <FileText />
        ) : (
          <Braces />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span title={name} className="block truncate text-small font-medium">
          {name}
        </span>
        <span className="block truncate text-small text-ink-2">
          {fileSize(sizeOf(attachment))} · {attachment.type || "unknown type"}
        </span>
      </span>
      <button
        type="button"
        aria-label={`Remove ${name}`}
        title={`Remove ${name}`}
        onClick={onRemove}
        onKeyDown={onKeyDown}
        className="inline-flex size-7 shrink-0 items-center justify-center rounded-control text-ink-3 transition-colors hover:bg-well hover:text-ink pointer-coarse:size-9"
      >
        <X className="size-3.5" />
      </button>
    </li>
  );
}
