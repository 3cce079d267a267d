import { isObject, type JsonObject } from "../protocol/json.ts";
import type { RunStatus } from "../protocol/runs.ts";
import type { ThreadStatus } from "../protocol/threads.ts";
import { callerHeaders, NO_REDIRECTS } from "./caller.ts";
import { accepted } from "./refusal.ts";

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

/** The part of a thread's state that a conversation needs. */
export interface ThreadSnapshot {
  readonly values: unknown;
  readonly tasks: unknown;
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
    rename: (thread: string, title: string) => call("PATCH", at(thread), { metadata: { title } }),
    remove: (thread: string) => call("DELETE", at(thread)),
    state: async (thread: string, checkpoint?: string) =>
      read<ThreadSnapshot>(
        await call("GET", `${at(thread)}/state${checkpoint ? `/${encodeURIComponent(checkpoint)}` : ""}`),
      ),
    newestRun: async (thread: string) => {
      const response = await call("GET", `${at(thread)}/runs?limit=1&select=run_id&select=status&select=kwargs`);
      return (await read<RunSummary[]>(response))[0];
    },
    history: async (thread: string, limit: number, before?: string) =>
      read<ThreadSnapshot[]>(await call("POST", `${at(thread)}/history`, { limit, before })),
    cancel: (thread: string, run: string) => call("POST", `${at(thread)}/runs/${encodeURIComponent(run)}/cancel`),
  };
}

async function call(method: string, url: string, body?: object): Promise<Response> {
  const headers = { ...callerHeaders(url), ...(body && { "content-type": "application/json" }) };
  return await accepted(fetch(url, { ...NO_REDIRECTS, method, headers, ...(body && { body: JSON.stringify(body) }) }));
}

/** Casts the answer to the type that docs/api states for the operation. */
async function read<T>(response: Response): Promise<T> {
  return (await response.json()) as T;
}

const LONGEST_TITLE = 80;

/** Turns a question into the title of its conversation. */
export function titleFrom(question: string): string {
  const line = question.replace(/\s+/g, " ").trim();
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…` : line;
}

/** Returns the title of a conversation: the one it was given, or else its beginning. */
export function titleOf({ metadata, extracted }: Pick<ThreadSummary, "metadata" | "extracted">): string {
  const given = typeof metadata.title === "string" ? titleFrom(metadata.title) : "";
  return given || titleFrom(firstText(extracted.first)) || "Untitled";
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
