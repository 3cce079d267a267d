import { parseAsString, parseAsStringLiteral } from "nuqs";
import type { JsonObject } from "#lib/protocol/json.ts";
import { isUuid } from "#lib/rules/uuid.ts";
import { readThreadQuery } from "#lib/rules/threads/filter-text.ts";
import { quotesNeeded } from "../_rooms/quotes-needed.ts";

const statuses = ["pending", "running", "success", "error", "interrupted", "timeout"] as const;
const ranges = ["15m", "1h", "1d", "7d"] as const;

/** The parts of the page's state that its URL keeps. */
export const RUN_FILTERS = {
  status: parseAsStringLiteral(statuses),
  assistant: parseAsString,
  trigger: parseAsString,
  range: parseAsStringLiteral(ranges),
  q: parseAsString.withDefault(""),
};

export interface RunFilter {
  readonly status: string | null;
  readonly assistant: string | null;
  readonly trigger: string | null;
  readonly range: (typeof ranges)[number] | null;
  readonly q: string;
}

const MINUTE = 60_000;

export const RANGES: Record<(typeof ranges)[number], { words: string; ms: number }> = {
  "15m": { words: "Last 15 minutes", ms: 15 * MINUTE },
  "1h": { words: "Last hour", ms: 60 * MINUTE },
  "1d": { words: "Last day", ms: 24 * 60 * MINUTE },
  "7d": { words: "Last 7 days", ms: 7 * 24 * 60 * MINUTE },
};

/** Returns the filter as the API takes it, except for the time. */
export function runFilterBody({ status, assistant, trigger, q }: RunFilter): JsonObject {
  const { ids, metadata } = readThreadQuery(q);
  return {
    ...(status && { status }),
    ...(assistant && { assistant_id: assistant }),
    ...(trigger && { trigger }),
    ...(ids[0] !== undefined && { thread_id: ids[0] }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

export function runFilterProblem(q: string): string | undefined {
  const [word] = readThreadQuery(q).unknown;
  if (word !== undefined)
    return (
      quotesNeeded(q) ??
      `“${word.slice(0, 40)}” is left out: type the id of a thread, or key:value of the runs' metadata.`
    );
  return q.split(/\s+/).filter(isUuid).length > 1 ? "Only the first id counts." : undefined;
}
