"use client";

import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";

export const STUDIO_TABS = ["run", "state", "input", "node", "raw"] as const;
export type StudioTab = (typeof STUDIO_TABS)[number];

const QUERY = {
  thread: parseAsString,
  /** The checkpoint that is shown; the newest if there is none. */
  checkpoint: parseAsString,
  /** The checkpoint that the shown one is compared with. */
  compare: parseAsString,
  /** The selected node, as the drawing names it. */
  node: parseAsString,
  tab: parseAsStringLiteral(STUDIO_TABS).withDefault("run"),
  assistant: parseAsString,
  /** The state is being edited. */
  edit: parseAsBoolean.withDefault(false),
};

/** The part of the studio that stands in the page's URL. */
export function useStudioQuery() {
  const [query, setQuery] = useQueryStates(QUERY);
  return { query, setQuery };
}

export type StudioQuery = ReturnType<typeof useStudioQuery>;
