import { parseAsString, parseAsStringLiteral } from "nuqs";
import type { JsonObject } from "#lib/protocol/json.ts";
import { readThreadQuery } from "#lib/rules/threads/filter-text.ts";
import { quotesNeeded } from "../_rooms/quotes-needed.ts";
import type { ShownThreadStatus } from "./thread-status.tsx";

const statuses = ["idle", "busy", "waiting", "stopped", "error"] as const satisfies readonly ShownThreadStatus[];

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
  readonly status: ShownThreadStatus | null;
  readonly assistant: string | null;
  readonly q: string;
}

/** Returns the filter as the API takes it. */
export function filterBody({ view, status, assistant, q }: ThreadFilter): JsonObject {
  const { ids, metadata } = readThreadQuery(q);
  const members = { ...metadata, ...(assistant !== null && { assistant_id: assistant }) };
  return {
    ...(view === "inbox" && { waiting: true }),
    ...(view === "all" && status && statusFilter(status)),
    ...(ids.length > 0 && { ids }),
    ...(Object.keys(members).length > 0 && { metadata: members }),
  };
}

function statusFilter(status: ShownThreadStatus): JsonObject {
  if (status !== "waiting" && status !== "stopped") return { status };
  return { status: "interrupted", waiting: status === "waiting" };
}

/** Says which part of the text is not used, and what can be searched. */
export function filterProblem(q: string): string | undefined {
  const [word] = readThreadQuery(q).unknown;
  if (word === undefined) return undefined;
  return (
    quotesNeeded(q) ??
    `“${word.slice(0, 40)}” is left out: type the id of a thread, or key:value of its metadata. Ctrl K finds words of titles.`
  );
}
