"use client";

import { useStudio } from "./studio-context.ts";
import { useShownRun } from "./use-shown-run.ts";

const MOST_NAMED = 5;

/** Names the nodes of the shown run that the graph does not have, because its code has changed since. */
export function GoneNodes() {
  const run = useShownRun();
  const { isKnown } = useStudio().info;
  const missing = run ? [...run.nodes].map(({ node }) => node).filter((node) => !isKnown(node)) : [];
  if (missing.length === 0) return null;
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : "";
  return (
    <p className="w-fit max-w-80 truncate rounded-control border border-line-strong bg-raised px-3 py-1.5 text-small text-ink-2">
      Not in this graph: <bdi>{missing.slice(0, MOST_NAMED).join(", ")}</bdi>
      {more}
    </p>
  );
}
