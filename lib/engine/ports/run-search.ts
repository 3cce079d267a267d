/** The port for searches over the runs of all threads. Implemented in lib/drivers/sql/run-search.ts. */
import type { RunFilter, RunSearch } from "../../protocol/runs.ts";
import type { ThreadFilter } from "../../protocol/threads.ts";
import type { ListPosition } from "../../rules/cursor.ts";
import type { Visibility } from "../../rules/visibility.ts";

/** The runs that a caller may see: those of threads that the caller finds, and runs without a thread by their own metadata. */
export interface VisibleRuns {
  /** The search of threads, as the application's authorization has changed it. */
  threads: ThreadFilter;
  visible?: Visibility;
}

export interface RunQuery extends RunFilter, Pick<RunSearch, "limit" | "sort_order"> {
  /** The position after which the page begins. */
  after?: ListPosition;
  among?: VisibleRuns;
  /** True if nobody needs the arguments of the runs, which may be large. They are then left out. */
  brief?: boolean;
}

/** The part of the run store that looks over all threads. */
export interface RunSearchStore<Stored> {
  /**
   * Searches the runs of all threads by the time of their creation. `next` is the position after which the search goes on;
   * absent at the end. A page may have fewer runs than `limit`, even none, although more follow: what no index answers is
   * checked in a bounded number of runs.
   */
  search(search: RunQuery): Promise<{ runs: Stored[]; next?: ListPosition }>;
  count(filter: RunFilter, visible?: VisibleRuns): Promise<number>;
}
