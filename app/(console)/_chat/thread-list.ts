import type { ThreadSummary } from "#lib/client/threads.ts";

/** The number of threads that a tall screen shows. */
export const PAGE = 30;

/** The first page of the threads, which the server renders. */
export interface FirstPage {
  readonly threads: readonly ThreadSummary[];
  /** The number of all threads. */
  readonly total: number;
}
