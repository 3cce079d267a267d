import type * as z from "zod";
import type { Run, RunCount, RunSearch } from "../protocol/runs.ts";
import { call, type CursorPage, firstFound, read, readPage } from "./call.ts";

export type RunFilter = z.input<typeof RunCount>;

/** A run in a list: without its arguments, which may be large. */
export type ListedRun = Omit<Run, "kwargs" | "multitask_strategy" | "updated_at">;

const LISTED = [
  ...(["run_id", "thread_id", "assistant_id", "status", "metadata", "trigger"] as const),
  ...(["created_at", "started_at", "first_token_at", "ended_at", "attempts", "error"] as const),
] satisfies (keyof ListedRun)[];

/** The order of a list, the number of its items, and the cursor after which it goes on; none begins. */
export interface RunPage {
  readonly limit: number;
  readonly cursor?: string;
  readonly sort_order?: z.input<typeof RunSearch>["sort_order"];
}

/** The calls about runs over all threads. All of them may throw a `RequestFailure`. */
export function runApi(base: string) {
  return {
    search: (
      filter: RunFilter,
      { cursor = "", ...page }: RunPage,
      signal?: AbortSignal,
    ): Promise<CursorPage<ListedRun>> =>
      firstFound(cursor, async (from) => {
        const body = { ...filter, ...page, cursor: from, select: LISTED };
        return readPage<ListedRun>(await call("POST", `${base}/runs/search`, body, signal));
      }),
    count: async (filter: RunFilter, signal?: AbortSignal) =>
      read<number>(await call("POST", `${base}/runs/count`, filter, signal)),
    get: async (run: string) => read<Run>(await call("GET", `${base}/runs/${encodeURIComponent(run)}`)),
    /** Cancels a run. `thread`: the thread's id, which runs without a thread have as well. */
    cancel: (thread_id: string, run: string) => call("POST", `${base}/runs/cancel`, { thread_id, run_ids: [run] }),
    /** Cancels all open runs of up to 1,000 threads. */
    cancelOf: (thread_ids: readonly string[]) => call("POST", `${base}/runs/cancel`, { thread_ids }),
  };
}
