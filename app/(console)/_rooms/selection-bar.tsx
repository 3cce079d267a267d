"use client";

import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../_ui/button.tsx";
import { grouped } from "#lib/rules/text/counted.ts";

/** The actions on the selected rows of a table. */
export function SelectionBar({
  count,
  onClear,
  children,
}: {
  count: number;
  onClear: () => void;
  /** The buttons. */
  children: ReactNode;
}) {
  if (count === 0) return null;
  return (
    <section
      aria-label="Selection"
      className="flex min-h-11 flex-wrap items-center gap-2 rounded-control border border-accent bg-accent-soft px-3 py-1.5"
    >
      <output className="mr-1 font-medium text-accent">{grouped(count)} selected</output>
      {children}
      <IconButton label="Clear the selection" onClick={onClear} className="ml-auto">
        <X />
      </IconButton>
    </section>
  );
}
