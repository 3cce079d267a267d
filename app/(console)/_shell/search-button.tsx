"use client";

import { Search } from "lucide-react";
import { Key } from "../_ui/key.tsx";
import { useMounted } from "../_ui/use-mounted.ts";
import { paletteKeys } from "./palette-keys.ts";

/** Opens the command palette. It looks like the field that it opens. */
export function SearchButton({ onSearch }: { onSearch: () => void }) {
  const mounted = useMounted();
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onSearch}
      className="flex h-8 w-full items-center gap-2.5 rounded-control border border-line bg-raised px-2.5 text-ink-3 transition-colors hover:border-line-strong hover:text-ink-2 pointer-coarse:h-10"
    >
      <Search className="size-4 shrink-0" />
      <span className="flex-1 text-left">Search</span>
      <Key className={mounted ? "" : "invisible"}>{mounted ? paletteKeys() : "Ctrl K"}</Key>
    </button>
  );
}
