"use client";

import { Square } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { Button } from "../_ui/button.tsx";

export interface Draft {
  readonly text: string;
  /** The message that this one replaces, with everything after it. */
  readonly editing?: { readonly id: string; readonly isLast: boolean };
}

export function Composer({
  assistant,
  draft,
  running,
  ready,
  onDraft,
  onSend,
  onStop,
  onEditLast,
}: {
  assistant: string;
  draft: Draft;
  running: boolean;
  /** True if a message can be sent now. */
  ready: boolean;
  onDraft: (draft: Draft) => void;
  onSend: (text: string) => void;
  onStop: () => void;
  onEditLast: () => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  // A touch screen gets no focus here, because that would open its keyboard over the page.
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, []);
  useEffect(() => {
    if (draft.editing) field.current?.focus();
  }, [draft.editing]);

  const canSend = ready && !running && draft.text.trim() !== "";
  const send = () => {
    if (canSend) onSend(draft.text.trim());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter that ends the composition of a character (IME) does not send the message.
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
    if (event.key === "ArrowUp" && draft.text === "") {
      event.preventDefault();
      onEditLast();
    }
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
      {draft.editing ? (
        <p className="px-3.5 pt-2.5 text-small text-waiting">
          {draft.editing.isLast
            ? "Editing your last message. Its answer will be replaced."
            : "Editing an earlier message. Everything after it will be replaced."}
        </p>
      ) : null}
      <textarea
        ref={field}
        rows={1}
        value={draft.text}
        onChange={(event) => onDraft({ ...draft, text: event.target.value })}
        onKeyDown={onKeyDown}
        aria-label={`Message to ${assistant}`}
        placeholder={`Message to ${assistant}…`}
        className="field-sizing-content block max-h-48 min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 outline-none"
      />
      <div className="flex items-center justify-end gap-3 p-2.5 pt-1">
        <span className="text-small text-ink-3 pointer-coarse:hidden">
          {running ? "Esc stops" : draft.editing ? "Esc cancels editing" : "Shift Enter for a new line"}
        </span>
        {running ? (
          <Button variant="primary" onClick={onStop}>
            <Square /> Stop
          </Button>
        ) : (
          <Button variant="primary" type="submit" disabled={!canSend}>
            Send
          </Button>
        )}
      </div>
    </form>
  );
}
