"use client";

import { useEffect, useId, useState } from "react";
import { draftAt, fieldKey } from "#lib/rules/forms/field-drafts.ts";
import { isSame } from "#lib/rules/forms/same-value.ts";
import { readJson } from "#lib/rules/forms/json-draft.ts";
import { BOX } from "../_ui/field.tsx";
import { ControlFrame, type FieldProps, unsetText } from "./field-frame.tsx";
import { useForm } from "./form-context.ts";

/** Edits a value that has no form as JSON. Text that is no JSON stays, and the value stays as it was. */
export function JsonControl(props: FieldProps) {
  const { field, path, value, onChange } = props;
  const { onUnreadable, drafts, onDraft } = useForm();
  const id = useId();
  const key = fieldKey(path);
  const [draft, setDraft] = useState<{ text: string; value: unknown }>(
    () => draftAt(drafts, key, value) ?? { text: textOf(value), value },
  );
  if (!isSame(draft.value, value)) setDraft({ text: textOf(value), value });
  // An item of a list cannot be absent.
  const isItem = typeof path.at(-1) === "number";
  const read = readDraft(draft.text, isItem);
  const reason = "problem" in read ? read.problem : undefined;
  useEffect(() => {
    onUnreadable(id, reason);
    return () => onUnreadable(id, undefined);
  }, [id, reason, onUnreadable]);
  useEffect(() => {
    const { text, value: before } = draft;
    onDraft(key, reason === undefined ? undefined : { text, value: before, reason });
  }, [key, reason, draft, onDraft]);
  return (
    <ControlFrame {...props}>
      {(control) => (
        <>
          <textarea
            {...control}
            aria-invalid={reason !== undefined}
            spellCheck={false}
            rows={1}
            placeholder={`${unsetText(field, value)} (JSON)`}
            className={`${BOX} field-sizing-content block max-h-96 min-h-9 resize-y py-2 font-mono text-code`}
            value={draft.text}
            onChange={({ target: { value: text } }) => {
              const next = readDraft(text, isItem);
              setDraft({ text, value: "problem" in next ? value : next.value });
              if (!("problem" in next)) onChange(next.value);
            }}
          />
          {reason === undefined ? null : (
            <p role="alert" className="mt-1.5 text-small text-bad">
              {reason}
            </p>
          )}
        </>
      )}
    </ControlFrame>
  );
}

const textOf = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value, null, 2));

function readDraft(text: string, isItem: boolean): ReturnType<typeof readJson> {
  return isItem && text.trim() === "" ? { problem: "Write a value, or remove the item." } : readJson(text);
}
