"use client";

import { Search } from "lucide-react";
import { useMemo } from "react";
import type { GraphDrawing } from "#lib/protocol/assistants.ts";
import { findNode } from "#lib/rules/graphs/find-node.ts";

/** The field that finds a node by its name: others are dimmed while somebody types, and Enter goes to the one that is meant. */
export function FindNode({
  drawing,
  search,
  onSearch,
  onFound,
}: {
  drawing: GraphDrawing | undefined;
  search: string;
  onSearch: (search: string) => void;
  onFound: (node: string) => void;
}) {
  const paths = useMemo(() => pathsOf(drawing), [drawing]);
  return (
    <label className="pointer-events-auto flex h-8 w-44 items-center gap-2 rounded-control border border-line bg-raised px-2.5 focus-within:border-accent max-sm:hidden">
      <Search className="size-3.5 shrink-0 text-ink-3" />
      <span className="sr-only">Find a node</span>
      <input
        data-filter
        type="search"
        value={search}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onSearch("");
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          const found = findNode(paths, search);
          if (found !== undefined) onFound(found);
        }}
        placeholder="Find a node"
        className="min-w-0 flex-1 bg-transparent outline-none"
      />
    </label>
  );
}

/** Returns the paths of all nodes. The drawing has none for subgraphs themselves: they are named by what is in them. */
function pathsOf(drawing: GraphDrawing | undefined): readonly string[] {
  const paths = new Set<string>();
  for (const { id } of drawing?.nodes ?? []) {
    for (const around of pathsAround(`${id}`)) paths.add(around);
    paths.add(`${id}`);
  }
  return [...paths];
}

/** Returns the paths of the subgraphs that a node is in, outermost first. */
export function pathsAround(path: string): readonly string[] {
  const names = path.split(":");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join(":"));
}
