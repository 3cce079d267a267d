"use client";

import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";

export const TABS = ["settings", "prompts", "versions", "compare"] as const;
export type AssistantTab = (typeof TABS)[number];

/** The value of `assistant` while a new one is made. */
export const NEW = "new";

const QUERY = {
  /** The id of the open assistant, or `new`. */
  assistant: parseAsString,
  tab: parseAsStringLiteral(TABS).withDefault("settings"),
  /** The version whose difference is shown. */
  version: parseAsInteger,
  /** The assistant that the open one is compared with. */
  compare: parseAsString,
  /** The threads of the last comparison: that of the open assistant, and that of the other one. */
  threads: parseAsString,
  q: parseAsString.withDefault(""),
};

/** The part of the page that stands in its URL. */
export function useAssistantsQuery() {
  const [query, setQuery] = useQueryStates(QUERY);
  const push = { history: "push" } as const;
  const open = (assistant: string | null, tab: AssistantTab = "settings"): void =>
    void setQuery({ assistant, tab, version: null, compare: null, threads: null }, push);
  return {
    ...query,
    open,
    search: (q: string) => void setQuery({ q: q === "" ? null : q }),
    showTab: (tab: AssistantTab) => void setQuery({ tab }),
    showVersion: (version: number | null) => void setQuery({ tab: "versions", version }),
    compareWith: (compare: string | null) => void setQuery({ compare, threads: null }),
    keepThreads: (first: string, second: string) => void setQuery({ threads: `${first}~${second}` }),
  };
}

export type AssistantsQuery = ReturnType<typeof useAssistantsQuery>;
