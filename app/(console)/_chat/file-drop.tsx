"use client";

import { Upload } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { LIMITS } from "#lib/rules/threads/attachments.ts";

/** Takes files that are dropped on the page, and shows while they are dragged that it does. */
export function FileDrop({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const [isOver, setOver] = useState(false);
  const drop = useEffectEvent(onFiles);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const onDrag = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      // Without this, the browser opens the file in place of the page.
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      drop(Array.from(event.dataTransfer?.files ?? []));
    };
    const listeners = [
      ["dragenter", onDrag] as const,
      ["dragover", onDrag] as const,
      ["dragleave", onLeave] as const,
      ["drop", onDrop] as const,
    ];
    for (const [name, listener] of listeners) window.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener);
    };
  }, []);
  if (!isOver) return null;
  return (
    <div className="pointer-events-none absolute inset-0 z-10 flex flex-col items-center justify-center gap-2 border-2 border-dashed border-accent bg-background/92 p-6 text-center">
      <Upload className="size-5 text-accent" />
      <p className="font-medium">Drop images or text files to attach them</p>
      <p className="max-w-120 text-small text-ink-2">{LIMITS}.</p>
    </div>
  );
}
