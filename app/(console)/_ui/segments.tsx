"use client";

import { useId } from "react";

/** A choice between a few options, all of them visible. */
export function Segments<T extends string>({
  label,
  options,
  value,
  onValue,
}: {
  label: string;
  options: readonly { readonly value: T; readonly label: string }[];
  value: T;
  onValue: (value: T) => void;
}) {
  const name = useId();
  return (
    <fieldset aria-label={label} className="flex w-fit rounded-control border border-line bg-raised p-0.5">
      {options.map((option) => (
        <label
          key={option.value}
          className={`inline-flex h-7 cursor-pointer items-center rounded-[6px] px-2.5 text-small font-medium whitespace-nowrap transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent pointer-coarse:h-9 ${
            option.value === value ? "bg-accent-soft text-accent" : "text-ink-2 hover:text-ink"
          }`}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onValue(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
