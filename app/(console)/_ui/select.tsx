import { ChevronsUpDown } from "lucide-react";
import type { ComponentProps } from "react";

/** A select in a bar. `label`: its accessible name. */
export function Select({ label, title, className = "", ...props }: ComponentProps<"select"> & { label: string }) {
  return (
    <span className={`relative inline-flex max-w-40 items-center ${className}`} title={title}>
      <select
        aria-label={label}
        className="h-8 w-full appearance-none truncate rounded-control border border-line-strong bg-raised pr-8 pl-3 font-medium hover:bg-well pointer-coarse:h-10"
        {...props}
      />
      <ChevronsUpDown className="pointer-events-none absolute right-2.5 size-3.5 text-ink-3" />
    </span>
  );
}
