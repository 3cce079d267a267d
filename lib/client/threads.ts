import { isObject, type JsonObject } from "../protocol/json.ts";
import type { RunStatus } from "../protocol/runs.ts";
import type { Thread, ThreadStatus } from "../protocol/threads.ts";
import { call, read } from "./call.ts";

/** A conversation in a list. */
export interface ThreadSummary {
  readonly thread_id: string;
  readonly updated_at: string;
  readonly status: ThreadStatus;
  readonly metadata: JsonObject;
  /** Keyed by the id of the waiting task. */
  readonly interrupts: Thread["interrupts"];
  readonly extracted: JsonObject;
}

/** The fields that a list requests. They stay small however long the conversations are. */
export const SUMMARY = {
  select: ["thread_id", "updated_at", "status", "metadata", "interrupts"],
  extract: { first: "values.messages[0].content" },
  sort_by: "updated_at",
} as const;

/** The part of a thread's state that a conversation needs. */
export interface ThreadSnapshot {
  readonly values: unknown;
  readonly tasks: unknown;
  readonly metadata: unknown;
  readonly parent_checkpoint: unknown;
  readonly checkpoint: unknown;
  /** Sizes of values that were left out, by their paths. */
  readonly omitted?: Readonly<Record<string, number>>;
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
    rename: (thread: string, title: string) => call("PATCH", at(thread), { metadata: { title } }),
    remove: (thread: string) => call("DELETE", at(thread)),
    get: async (thread: string) => read<Thread>(await call("GET", at(thread))),
    state: stateReader(at),
    newestRun: async (thread: string) => {
      const response = await call("GET", `${at(thread)}/runs?limit=1&select=run_id&select=status&select=kwargs`);
      return (await read<RunSummary[]>(response))[0];
    },
    /** Finds the newest run of a thread that may be deleted by now. */
    findNewestRun: async (thread_id: string) => {
      const body = { thread_id, limit: 1, select: ["run_id", "status", "kwargs"] };
      return (await read<RunSummary[]>(await call("POST", `${base}/runs/search`, body)))[0];
    },
    history: async (thread: string, page: { limit: number; before?: string; select: readonly string[] }) =>
      read<ThreadSnapshot[]>(await call("POST", `${at(thread)}/history`, page)),
    cancel: (thread: string, run: string) => call("POST", `${at(thread)}/runs/${encodeURIComponent(run)}/cancel`),
  };
}

/**
 * Returns the call that reads a state, or the selected parts of it. `valueLimit`: the most characters of JSON of its
 * values.
 */
function stateReader(at: (thread: string) => string) {
  return async (
    thread: string,
    checkpoint?: string,
    select: readonly string[] = [],
    valueLimit?: number,
  ): Promise<ThreadSnapshot> => {
    const path = checkpoint === undefined ? "" : `/${encodeURIComponent(checkpoint)}`;
    const query = new URLSearchParams(select.map((one) => ["select", one]));
    if (valueLimit !== undefined) query.set("value_limit", `${valueLimit}`);
    return read<ThreadSnapshot>(await call("GET", `${at(thread)}/state${path}${query.size > 0 ? `?${query}` : ""}`));
  };
}

const LONGEST_TITLE = 80;

/** Turns a question into the title of its conversation. */
export function titleFrom(question: string): string {
  const line = question.replace(/\s+/g, " ").trim();
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…` : line;
}

/** Returns the title of a thread: the one it was given, or else its first message, or else its graph and short id. */
export function titleOf({
  thread_id,
  metadata,
  extracted,
}: Pick<ThreadSummary, "thread_id" | "metadata" | "extracted">): string {
  return titleIn(metadata, extracted.first) || untitledName(thread_id, metadata);
}

/** Names a thread without a title, so that two of one graph have different names. */
function untitledName(id: string, { graph_id }: JsonObject): string {
  return `${typeof graph_id === "string" ? graph_id : "Thread"} ${id.slice(-4)}`;
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
