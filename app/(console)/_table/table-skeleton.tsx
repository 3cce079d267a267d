import { Skeleton } from "../_ui/skeleton.tsx";

/** The classes of a row: two lines, and a third one on phones. */
export const ROW = "relative flex h-19 items-center gap-4 px-4 sm:h-14";

/** Holds the place of a row that is not loaded. */
export function RowSkeleton() {
  return (
    <div aria-hidden className={`${ROW} border-b border-line`}>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-3 w-1/4" />
      </div>
      <Skeleton className="h-5.5 w-24" />
      <Skeleton className="h-4 w-20 max-sm:hidden" />
    </div>
  );
}

const ROWS = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** Takes the place of a table that is not there yet. */
export function TableSkeleton() {
  return (
    <div className="min-h-0 flex-1 overflow-hidden rounded-card border border-line">
      <div className="h-9.5 border-b border-line" />
      {ROWS.map((row) => (
        <RowSkeleton key={row} />
      ))}
    </div>
  );
}
