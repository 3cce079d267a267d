import type { ThreadSummary } from "@/lib/client/threads.ts";

/** As many as a tall screen shows. */
export const PAGE = 30;

/** The beginning of the list, as the server renders the page with it. */
export interface FirstPage {
  readonly threads: readonly ThreadSummary[];
  /** How many there are in all. */
  readonly total: number;
}
