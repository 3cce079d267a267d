"use client";

import { type ComponentProps, type ReactNode, useId } from "react";

const BOX =
  "w-full rounded-control border border-line-strong bg-background px-2.5 outline-offset-0 aria-invalid:border-bad disabled:opacity-55";

interface Labelled {
  label: string;
  /** Small text below the field. */
  hint?: ReactNode;
  /** The error of an invalid value. It replaces the hint. */
  error?: string | undefined;
}

export function TextField({
  label,
  hint,
  error,
  mono = false,
  className = "",
  ...props
}: Labelled & ComponentProps<"input"> & { mono?: boolean }) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error} className={className}>
      <input
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint`}
        autoComplete="off"
        spellCheck={false}
        className={`${BOX} h-9 pointer-coarse:h-10 ${mono ? "font-mono text-code" : ""}`}
        {...props}
      />
    </Frame>
  );
}

export function TextArea({ label, hint, error, className = "", ...props }: Labelled & ComponentProps<"textarea">) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error} className={className}>
      <textarea
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint`}
        spellCheck={false}
        className={`${BOX} min-h-20 py-2 font-mono text-code`}
        {...props}
      />
    </Frame>
  );
}

export function SelectField({
  label,
  hint,
  className = "",
  children,
  ...props
}: Omit<Labelled, "error"> & ComponentProps<"select">) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={undefined} className={className}>
      <select id={id} aria-describedby={`${id}-hint`} className={`${BOX} h-9 pointer-coarse:h-10`} {...props}>
        {children}
      </select>
    </Frame>
  );
}

export function CheckField({ label, hint, ...props }: Omit<Labelled, "error"> & ComponentProps<"input">) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        type="checkbox"
        id={id}
        aria-describedby={`${id}-hint`}
        className="mt-0.5 size-4 shrink-0 accent-accent pointer-coarse:size-5"
        {...props}
      />
      <div className="min-w-0">
        <label htmlFor={id}>{label}</label>
        <div id={`${id}-hint`} className="text-small text-ink-3">
          {hint}
        </div>
      </div>
    </div>
  );
}

function Frame({
  id,
  label,
  hint,
  error,
  className,
  children,
}: Labelled & { id: string; className: string; children: ReactNode }) {
  return (
    <div className={`min-w-0 ${className}`}>
      <label htmlFor={id} className="mb-1.5 block text-small text-ink-2">
        {label}
      </label>
      {children}
      <div id={`${id}-hint`} className={`mt-1.5 text-small ${error === undefined ? "text-ink-3" : "text-bad"}`}>
        {error ?? hint}
      </div>
    </div>
  );
}
