"use client";

import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import type { Field } from "#lib/rules/interrupts/answer-form.ts";

const CONTROL =
  "w-full rounded-control border border-line-strong bg-raised px-2.5 outline-offset-0 aria-invalid:border-bad";

interface AnswerFieldProps {
  id: string;
  field: Field;
  value: string;
  onValue: (value: string) => void;
  /** The field takes the focus on mount if the user has just opened it. */
  takesFocus: boolean;
  /** Closes the fields without an answer. */
  onEscape?: () => void;
}

/** The input of one property of an answer. */
export function AnswerField(props: AnswerFieldProps) {
  const { id, field, value, onValue, takesFocus } = props;
  const control = useRef<HTMLTextAreaElement & HTMLInputElement & HTMLSelectElement>(null);
  useEffect(() => {
    if (takesFocus) control.current?.focus();
  }, [takesFocus]);
  const described = field.description ? `${id}-about` : undefined;
  if (field.kind === "boolean") {
    return (
      <label className="flex items-center gap-2.5">
        <input
          ref={control}
          type="checkbox"
          checked={value === "true"}
          onChange={(event) => onValue(String(event.target.checked))}
          className="size-4 accent-accent"
        />
        {field.label}
      </label>
    );
  }
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-small font-medium">
        {field.label}
        {field.required ? null : <span className="font-normal text-ink-3"> (optional)</span>}
      </label>
      <Control {...props} control={control} described={described} />
      {field.description ? (
        <p id={described} className="mt-1 text-small text-ink-2">
          {field.description}
        </p>
      ) : null}
    </div>
  );
}

function Control({
  id,
  field,
  value,
  onValue,
  onEscape,
  control,
  described,
}: AnswerFieldProps & {
  control: RefObject<(HTMLTextAreaElement & HTMLInputElement & HTMLSelectElement) | null>;
  described: string | undefined;
}) {
  const common = {
    id,
    ref: control,
    value,
    "aria-describedby": described,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !onEscape) return;
      event.preventDefault();
      onEscape();
    },
    onChange: (event: { target: { value: string } }) => onValue(event.target.value),
  };
  if (field.kind === "choice") {
    return (
      <select {...common} className={`${CONTROL} h-9 pointer-coarse:h-10`}>
        {field.required ? null : <option value="">None</option>}
        {field.options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    );
  }
  if (field.kind === "number") return <input {...common} inputMode="decimal" className={`${CONTROL} h-9`} />;
  const font = field.kind === "json" ? "font-mono text-code" : "";
  return <textarea {...common} rows={2} className={`${CONTROL} ${font} field-sizing-content max-h-72 min-h-16 py-2`} />;
}
