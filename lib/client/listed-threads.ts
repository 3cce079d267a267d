import type * as z from "zod";
import type { ThreadCount, ThreadSearch } from "../protocol/threads.ts";
import { call, type CursorPage, firstFound, read, readPage } from "./call.ts";
import { SUMMARY, type ThreadSummary } from "./threads.ts";

export type ThreadFilter = z.input<typeof ThreadCount>;

/** A thread in a room's list. */
export interface ListedThread extends ThreadSummary {
  readonly created_at: string;
  readonly waiting: boolean;
}

const LISTED = { ...SUMMARY, select: [...SUMMARY.select, "created_at", "waiting"] } as const;

/** A page of a list: its order, the number of its items, and the cursor after which it goes on; none begins. */
export interface ThreadPage {
  readonly limit: number;
  readonly cursor?: string;
  readonly sort_by?: "created_at" | "updated_at" | "state_updated_at";
  readonly sort_order?: z.input<typeof ThreadSearch>["sort_order"];
}

/** The calls about all threads. All of them may throw a `RequestFailure`. */
export function threadListApi(base: string) {
  return {
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
  };
}
