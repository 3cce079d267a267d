"use client";

import { Paperclip, Square } from "lucide-react";
import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, Suspense, useEffect, useRef } from "react";
import { IMAGE_TYPES } from "#lib/rules/threads/content.ts";
import { LIMITS, type Question } from "#lib/rules/threads/attachments.ts";
import { Button, IconButton } from "../_ui/button.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import type { Draft, DraftControl } from "./use-draft.ts";

const loadFiles = () => import("./message-files.tsx");
const DraftFiles = lazyPart(() => loadFiles().then((part) => ({ default: part.DraftFiles })));
const FileProblems = lazyPart(() => loadFiles().then((part) => ({ default: part.FileProblems })));

interface ComposerProps {
  assistant: string;
  control: DraftControl;
  running: boolean;
  /** True if a message can be sent now. */
  ready: boolean;
  onSend: (question: Question) => void;
  onStop: () => void;
  onEditLast: () => void;
}

export function Composer({ assistant, control, running, ready, onSend, onStop, onEditLast }: ComposerProps) {
  const { draft, write, addFiles, remove } = control;
  const field = useRef<HTMLTextAreaElement>(null);
  // A touch screen gets no focus here, because that would open its keyboard over the page.
  useEffect(() => {
    // Text may have been typed before the page was hydrated.
    if (field.current?.value) write(field.current.value);
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- This is about the moment of hydration alone.
  }, []);
  useEffect(() => {
    if (draft.editing) field.current?.focus();
  }, [draft.editing]);

  const hasContent = draft.text.trim() !== "" || draft.attachments.length > 0;
  const canSend = ready && !running && hasContent && draft.reading === 0;
  const send = () => {
    if (canSend) onSend({ text: draft.text.trim(), attachments: draft.attachments });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter that ends the composition of a character (IME) does not send the message.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
    if (event.key === "ArrowUp" && !hasContent) {
      event.preventDefault();
      onEditLast();
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = Array.from(event.clipboardData.files);
    if (files.length === 0) return;
    event.preventDefault();
    addFiles(files);
  };

  return (
    <form
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="rounded-card border border-line-strong bg-raised shadow-float transition-colors focus-within:border-accent"
    >
      <EditingHint editing={draft.editing} />
      <Suspense>
        {draft.attachments.length > 0 || draft.reading > 0 ? (
          <DraftFiles
            attachments={draft.attachments}
            isReading={draft.reading > 0}
            onRemove={remove}
            onEmpty={() => field.current?.focus()}
          />
        ) : null}
        {draft.problems.length > 0 ? <FileProblems problems={draft.problems} /> : null}
      </Suspense>
      <textarea
        ref={field}
        rows={1}
        value={draft.text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        aria-label={`Message to ${assistant}`}
        placeholder={`Message to ${assistant}…`}
        className="field-sizing-content block max-h-48 min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 outline-none"
      />
      <div className="flex items-center justify-end gap-3 p-2.5 pt-1">
        <AttachButton onFiles={addFiles} />
        <span className="ml-auto text-small text-ink-3 pointer-coarse:hidden">
          {running ? "Esc stops" : draft.editing ? "Esc cancels editing" : "Shift Enter for a new line"}
        </span>
        {running ? (
          <Button variant="primary" onClick={onStop} className="pointer-coarse:ml-auto">
            <Square /> Stop
          </Button>
        ) : (
          <Button variant="primary" type="submit" disabled={!canSend} className="pointer-coarse:ml-auto">
            Send
          </Button>
        )}
      </div>
    </form>
  );
}

function EditingHint({ editing }: Pick<Draft, "editing">) {
  if (!editing) return null;
  return (
    <p className="px-3.5 pt-2.5 text-small text-waiting">
      {editing.isLast
        ? "Editing your last message. It begins a new branch, with a new answer."
        : "Editing an earlier message. It begins a new branch, without what came after it."}
    </p>
  );
}

/** Types and endings for the file dialog. All other text files can be chosen as well, or dropped. */
const ACCEPT = [...IMAGE_TYPES, "text/*", "application/json", ".md", ".csv", ".log", ".yaml", ".yml", ".toml"].join();

function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    onFiles(Array.from(event.target.files ?? []));
    // The same file can be chosen again.
    event.target.value = "";
  };
  return (
    <>
      <IconButton label="Attach files" title={`Attach files: ${LIMITS}`} onClick={() => input.current?.click()}>
        <Paperclip />
      </IconButton>
      <input ref={input} type="file" multiple hidden accept={ACCEPT} onChange={onChange} />
    </>
  );
}
