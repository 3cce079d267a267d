import type * as z from "zod";
import { isObject, type JsonObject } from "../protocol/json.ts";
import type { RunStatus } from "../protocol/runs.ts";
import type { Thread, ThreadCount, ThreadSearch, ThreadStatus } from "../protocol/threads.ts";
import { call, type CursorPage, firstFound, read, readPage } from "./call.ts";

/** A conversation in a list. */
export interface ThreadSummary {
  readonly thread_id: string;
  readonly updated_at: string;
  readonly status: ThreadStatus;
  readonly metadata: JsonObject;
  readonly interrupts: JsonObject;
  readonly extracted: JsonObject;
}

/** The fields that a list requests. They stay small however long the conversations are. */
export const SUMMARY = {
  select: ["thread_id", "updated_at", "status", "metadata", "interrupts"],
  extract: { first: "values.messages[0].content" },
  sort_by: "updated_at",
} as const;

export type ThreadFilter = z.input<typeof ThreadCount>;

/** A thread in a room's list. */
export interface ListedThread extends ThreadSummary {
  readonly created_at: string;
  readonly waiting: boolean;
}

/** A page of a list: its order, the number of its items, and the cursor after which it goes on; none begins. */
export interface ThreadPage {
  readonly limit: number;
  readonly cursor?: string;
  readonly sort_by?: "created_at" | "updated_at" | "state_updated_at";
  readonly sort_order?: z.input<typeof ThreadSearch>["sort_order"];
}

const LISTED = { ...SUMMARY, select: [...SUMMARY.select, "created_at", "waiting"] } as const;

/** The part of a thread's state that a conversation needs. */
export interface ThreadSnapshot {
  readonly values: unknown;
  readonly tasks: unknown;
  readonly metadata: unknown;
  readonly parent_checkpoint: unknown;
  readonly checkpoint: unknown;
}

export interface RunSummary {
  readonly run_id: string;
  readonly status: RunStatus;
  readonly kwargs: unknown;
}

export type ThreadApi = ReturnType<typeof threadApi>;

/** The calls of a chat except those that follow runs. All of them may throw a `RequestFailure`. */
export function threadApi(base: string) {
  const at = (thread: string): string => `${base}/threads/${encodeURIComponent(thread)}`;
  return {
    create: (thread_id: string, metadata: JsonObject) =>
      call("POST", `${base}/threads`, { thread_id, metadata, if_exists: "do_nothing" }),
    search: async (limit: number, offset: number) => {
      const response = await call("POST", `${base}/threads/search`, { ...SUMMARY, limit, offset });
      const total = Number(response.headers.get("x-pagination-total") ?? 0);
      return { threads: await read<ThreadSummary[]>(response), total };
    },
    /** Reads a page by cursor, without a total. */
    page: (
      filter: ThreadFilter,
      { cursor = "", ...page }: ThreadPage,
      signal?: AbortSignal,
    ): Promise<CursorPage<ListedThread>> =>
      firstFound(cursor, async (from) => {
        const body = { ...LISTED, ...filter, ...page, cursor: from };
        return readPage<ListedThread>(await call("POST", `${base}/threads/search`, body, signal));
      }),
    count: async (filter: ThreadFilter, signal?: AbortSignal) =>
      read<number>(await call("POST", `${base}/threads/count`, filter, signal)),
    /** Deletes up to 1,000 threads. Returns how many of them there were. */
    removeMany: async (thread_ids: readonly string[]) => {
      const answer = await read<{ pruned_count: number }>(await call("POST", `${base}/threads/prune`, { thread_ids }));
      return answer.pruned_count;
    },
    /** Copies a thread, or its history up to a checkpoint. Returns the new thread's id. */
    copy: async (thread: string, checkpoint_id?: string) => {
      const copied = await call(
        "POST",
        `${at(thread)}/copy`,
        checkpoint_id === undefined ? undefined : { checkpoint_id },
      );
      return (await read<{ thread_id: string }>(copied)).thread_id;
    },
    rename: (thread: string, title: string) => call("PATCH", at(thread), { metadata: { title } }),
    remove: (thread: string) => call("DELETE", at(thread)),
    get: async (thread: string) => read<JsonObject>(await call("GET", at(thread))),
    state: async (thread: string, checkpoint?: string, select: readonly string[] = []) => {
      const path = checkpoint === undefined ? "" : `/${encodeURIComponent(checkpoint)}`;
      const query = new URLSearchParams(select.map((one) => ["select", one]));
      return read<ThreadSnapshot>(await call("GET", `${at(thread)}/state${path}${query.size > 0 ? `?${query}` : ""}`));
    },
    newestRun: async (thread: string) => {
      const response = await call("GET", `${at(thread)}/runs?limit=1&select=run_id&select=status&select=kwargs`);
      return (await read<RunSummary[]>(response))[0];
    },
    history: async (thread: string, page: { limit: number; before?: string; select: readonly string[] }) =>
      read<ThreadSnapshot[]>(await call("POST", `${at(thread)}/history`, page)),
    cancel: (thread: string, run: string) => call("POST", `${at(thread)}/runs/${encodeURIComponent(run)}/cancel`),
  };
}

const LONGEST_TITLE = 80;

/** Turns a question into the title of its conversation. */
export function titleFrom(question: string): string {
  const line = question.replace(/\s+/g, " ").trim();
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…` : line;
}

/** Returns the title of a conversation: the one it was given, or else its beginning. */
export function titleOf({ metadata, extracted }: Pick<ThreadSummary, "metadata" | "extracted">): string {
  return titleIn(metadata, extracted.first) || "Untitled";
}

/** Returns the title of a thread that was read with its values; undefined if nothing in it makes one. */
export function titleOfThread({ metadata, values }: Pick<Thread, "metadata" | "values">): string | undefined {
  const first: unknown = isObject(values) && Array.isArray(values.messages) ? values.messages[0] : undefined;
  return titleIn(metadata, isObject(first) ? first.content : undefined) || undefined;
}

/** Returns a title, which is empty if there is none. `first`: the content of the first message. */
function titleIn({ title }: JsonObject, first: unknown): string {
  return (typeof title === "string" ? titleFrom(title) : "") || titleFrom(firstText(first));
}

function firstText(content: unknown): string {
  if (typeof content === "string") return content;
  const block = Array.isArray(content)
    ? content.filter(isObject).find((one) => typeof one.text === "string")
    : undefined;
  return typeof block?.text === "string" ? block.text : "";
}

/** The status of a conversation. A stopped one is `quiet`, although its graph has more to do. */
export type ConversationStatus = "running" | "waiting" | "failed" | "quiet";

export function conversationStatus({
  status,
  interrupts,
}: Pick<ThreadSummary, "status" | "interrupts">): ConversationStatus {
  if (status === "busy") return "running";
  if (status === "error") return "failed";
  return Object.keys(interrupts).length > 0 ? "waiting" : "quiet";
}
