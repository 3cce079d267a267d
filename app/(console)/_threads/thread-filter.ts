import { parseAsString, parseAsStringLiteral } from "nuqs";
import type { JsonObject } from "#lib/protocol/json.ts";
import type { ThreadStatus } from "#lib/protocol/threads.ts";
import { readThreadQuery } from "#lib/rules/threads/filter-text.ts";

const statuses = ["idle", "busy", "interrupted", "error"] as const satisfies readonly ThreadStatus[];

/** The parts of the page's state that its URL keeps. */
export const THREAD_FILTERS = {
  view: parseAsStringLiteral(["all", "inbox"]).withDefault("all"),
  status: parseAsStringLiteral(statuses),
  assistant: parseAsString,
  q: parseAsString.withDefault(""),
  /** The thread that is open in the inbox. */
  open: parseAsString,
};

export interface ThreadFilter {
  readonly view: "all" | "inbox";
  readonly status: ThreadStatus | null;
  readonly assistant: string | null;
  readonly q: string;
}

/** Returns the filter as the API takes it. */
export function filterBody({ view, status, assistant, q }: ThreadFilter): JsonObject {
  const { ids, metadata } = readThreadQuery(q);
  const members = { ...metadata, ...(assistant !== null && { assistant_id: assistant }) };
  return {
    ...(view === "inbox" && { waiting: true }),
    ...(view === "all" && status && { status }),
    ...(ids.length > 0 && { ids }),
    ...(Object.keys(members).length > 0 && { metadata: members }),
  };
}

export function filterProblem(q: string): string | undefined {
  const [word] = readThreadQuery(q).unknown;
  return word === undefined ? undefined : `“${word.slice(0, 40)}” is neither an id nor key:value.`;
}
