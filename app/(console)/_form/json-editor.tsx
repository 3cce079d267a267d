"use client";

import { Suspense, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { readJson } from "#lib/rules/forms/json-draft.ts";
import { isSame } from "#lib/rules/forms/same-value.ts";
import { BOX } from "../_ui/field.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import { useMounted } from "../_ui/use-mounted.ts";
import type { TextEditorProps } from "./text-editor-props.ts";
import { useLateSubmit } from "./use-late-submit.ts";

const CodeEditor = lazyPart(() => import("./code-editor.tsx"));

interface JsonEditorProps {
  /** The accessible name. */
  readonly label: string;
  /** The value; undefined is shown as empty text. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Called with the reason when the text is not JSON, and with undefined when it is again. `value` then stays as it was. */
  readonly onUnreadable?: (reason: string | undefined) => void;
  readonly onSubmit?: (() => void) | undefined;
  /** The text with which the editor begins, if it is not that of the value. */
  readonly startText?: string | undefined;
  /** Called with every text that is not JSON. */
  readonly onUnreadText?: ((text: string) => void) | undefined;
}

/**
 * Edits a value as JSON text. Tab leaves the editor. Text that is no JSON stays until `value` changes otherwise. The code
 * editor loads on first use; until then, a text area takes its place.
 */
export function JsonEditor(props: JsonEditorProps) {
  const { label, value, onChange, onUnreadable, onSubmit, startText, onUnreadText } = props;
  const id = useId();
  const isMounted = useMounted();
  const selectionRef: TextEditorProps["selectionRef"] = useRef(undefined);
  const [draft, setDraft] = useState(() => ({ text: startText ?? jsonText(value), value }));
  if (!Object.is(draft.value, value)) {
    setDraft(isSame(draft.value, value) ? { ...draft, value } : { text: jsonText(value), value });
  }
  const read = readJson(draft.text);
  const reason = "problem" in read ? read.problem : undefined;
  const tell = useEffectEvent((found: string | undefined) => onUnreadable?.(found));
  useEffect(() => tell(reason), [reason]);
  const submit = useLateSubmit(reason === undefined ? onSubmit : undefined);
  const editor: TextEditorProps = {
    label,
    text: draft.text,
    onText: (text) => {
      const next = readJson(text);
      setDraft({ text, value: "problem" in next ? value : next.value });
      if ("problem" in next) onUnreadText?.(text);
      else onChange(next.value);
    },
    selectionRef,
    isInvalid: reason !== undefined,
    describedBy: `${id}-problem`,
    onSubmit: submit,
  };
  return (
    <div className="min-w-0">
      {isMounted ? (
        <Suspense fallback={<PlainEditor {...editor} />}>
          <CodeEditor {...editor} />
        </Suspense>
      ) : (
        <PlainEditor {...editor} />
      )}
      <p
        id={`${id}-problem`}
        role={reason === undefined ? undefined : "alert"}
        className="mt-1.5 text-small text-bad empty:hidden"
      >
        {reason}
      </p>
    </div>
  );
}

const jsonText = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value, null, 2));

function PlainEditor({ label, text, onText, isInvalid, describedBy, selectionRef, onSubmit }: TextEditorProps) {
  const keep = ({ selectionStart, selectionEnd }: HTMLTextAreaElement, hasFocus = true): void => {
    selectionRef.current = { range: [selectionStart, selectionEnd], hasFocus };
  };
  return (
    <textarea
      aria-label={label}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      onFocus={({ target }) => keep(target)}
      onSelect={({ currentTarget }) => keep(currentTarget)}
      onBlur={({ target }) => keep(target, false)}
      value={text}
      spellCheck={false}
      onChange={({ target }) => {
        keep(target);
        onText(target.value);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        onSubmit?.();
      }}
      className={`${BOX} field-sizing-content block max-h-[60dvh] min-h-40 py-2 font-mono text-code`}
    />
  );
}
