"use client";

import { useId } from "react";

/** The filter of a table, which `/` focuses. */
export function FilterField({
  label,
  placeholder,
  value,
  onValue,
  problem,
}: {
  label: string;
  placeholder: string;
  value: string;
  onValue: (value: string) => void;
  /** Says which part of the typed text the filter cannot use. The rest filters all the same, so it is no error. */
  problem: string | undefined;
}) {
  const id = useId();
  return (
    <div className="relative min-w-0 flex-1 basis-60">
      <input
        type="search"
        data-filter
        aria-label={label}
        aria-describedby={`${id}-problem`}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={(event) => onValue(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || value === "") return;
          event.preventDefault();
          onValue("");
        }}
        className="h-8 w-full rounded-control border border-line-strong bg-background px-2.5 outline-offset-0 pointer-coarse:h-10"
      />
      <output
        id={`${id}-problem`}
        className={problem === undefined ? "sr-only" : "mt-1 block text-small wrap-anywhere text-ink-2"}
      >
        {problem}
      </output>
    </div>
  );
}
