"use client";

import { type AriaAttributes, type ComponentProps, type ReactNode, useId } from "react";

/** The look of a text input, a text area and a select. */
export const BOX =
  "w-full rounded-control border border-line-strong bg-background px-2.5 outline-offset-0 aria-invalid:border-bad disabled:opacity-55";

interface Labelled {
  label: string;
  /** Small text below the field. */
  hint?: ReactNode;
  /** The error of an invalid value. It replaces the hint. */
  error?: string | undefined;
}

interface FrameProps extends Labelled {
  className?: string | undefined;
  /** Small buttons at the right of the label. */
  aside?: ReactNode;
  children: (control: { id: string } & AriaAttributes) => ReactNode;
}

export function TextField({
  label,
  hint,
  error,
  mono = false,
  className,
  ...props
}: Labelled & ComponentProps<"input"> & { mono?: boolean }) {
  return (
    <Frame label={label} hint={hint} error={error} className={className}>
      {(control) => (
        <input
          {...control}
          autoComplete="off"
          spellCheck={false}
          className={`${BOX} h-9 pointer-coarse:h-10 ${mono ? "font-mono text-code" : ""}`}
          {...props}
        />
      )}
    </Frame>
  );
}

export function TextArea({ label, hint, error, className, ...props }: Labelled & ComponentProps<"textarea">) {
  return (
    <Frame label={label} hint={hint} error={error} className={className}>
      {(control) => (
        <textarea {...control} spellCheck={false} className={`${BOX} min-h-20 py-2 font-mono text-code`} {...props} />
      )}
    </Frame>
  );
}

export function SelectField({ label, hint, className, ...props }: Omit<Labelled, "error"> & ComponentProps<"select">) {
  return (
    <Frame label={label} hint={hint} className={className}>
      {(control) => <select {...control} className={`${BOX} h-9 pointer-coarse:h-10`} {...props} />}
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

/** A label, the control that `children` renders with these attributes, and the hint or error of it. */
export function Frame({ label, hint, error, aside, className = "", children }: FrameProps) {
  const id = useId();
  const below = error ?? hint;
  return (
    <div className={`min-w-0 ${className}`}>
      <div className="mb-1.5 flex min-h-4 items-center justify-between gap-2 text-small text-ink-2">
        <label htmlFor={id} className="min-w-0 wrap-anywhere">
          {label}
        </label>
        {aside}
      </div>
      {children({ id, "aria-invalid": error !== undefined, "aria-describedby": `${id}-hint` })}
      <div
        id={`${id}-hint`}
        className={`text-small wrap-anywhere ${below ? "mt-1.5" : ""} ${error === undefined ? "text-ink-3" : "text-bad"}`}
      >
        {below}
      </div>
    </div>
  );
}
