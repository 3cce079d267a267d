import type { Selectable } from "kysely";
import type { NewThread, StoredThread } from "../../engine/ports/threads.ts";
import { fromJson } from "./json-column.ts";
import type { ThreadsTable } from "./tables.ts";
import { WAITING } from "./thread-waiting.ts";
import { isoTime } from "../../protocol/iso-time.ts";

const MINUTE_MS = 60_000;

/** Returns the row of a new, idle thread. */
export function toThreadRow(thread: NewThread): ThreadsTable {
  return {
    thread_id: thread.thread_id,
    metadata: JSON.stringify(thread.metadata),
    config: JSON.stringify(thread.config),
    status: "idle",
    values: null,
    interrupts: "{}",
    waiting: WAITING.nothing,
    error: null,
    position: 0,
    created_at: thread.created_at,
    updated_at: thread.created_at,
    state_updated_at: thread.created_at,
    ...ttlColumns(thread.ttl, Date.parse(thread.created_at)),
  };
}

/** Returns the columns of a time to live that starts at `from`, in ms since the epoch. */
export function ttlColumns(
  ttl: NewThread["ttl"],
  from: number,
): Pick<ThreadsTable, "ttl" | "ttl_strategy" | "expires"> {
  if (!ttl) return { ttl: null, ttl_strategy: null, expires: null };
  return { ttl: ttl.ttl, ttl_strategy: ttl.strategy, expires: Math.round(from + ttl.ttl * MINUTE_MS) };
}

export function fromThreadRow(row: Selectable<ThreadsTable>): StoredThread {
  const thread: StoredThread = {
    thread_id: row.thread_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    state_updated_at: row.state_updated_at,
    metadata: fromJson(row.metadata),
    status: row.status,
    config: fromJson(row.config),
    values: row.values === null ? null : fromJson(row.values),
    interrupts: fromJson(row.interrupts),
    waiting: row.waiting === WAITING.person && row.status === "interrupted",
    resumable: row.waiting !== WAITING.nothing,
    position: row.position,
  };
  if (row.error !== null) thread.error = fromJson(row.error);
  if (row.ttl !== null && row.expires !== null) {
    thread.ttl = {
      strategy: row.ttl_strategy ?? "delete",
      ttl_minutes: row.ttl,
      expires_at: isoTime(row.expires),
    };
  }
  return thread;
}
