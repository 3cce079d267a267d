"use client";

import { Suspense } from "react";
import { lazyPart, preload } from "../_ui/lazy-part.ts";
import { useLater } from "../_ui/later.tsx";
import { TableSkeleton } from "./table-skeleton.tsx";
import type { VirtualTableProps } from "./table-props.ts";

const MountedTable = lazyPart(() => import("./mounted-table.tsx"));
// The code is on its way while the page asks for its first rows.
preload(MountedTable.load);

/**
 * A table of any length: only the visible rows are rendered, and only those near them are kept. It has one tab stop, and
 * its keys are those of a grid: https://www.w3.org/WAI/ARIA/apg/patterns/grid/
 */
export function VirtualTable<Row extends object>(props: VirtualTableProps<Row>) {
  const isMounted = useLater();
  // The page says why there are no rows. Placeholders would promise that they are on their way.
  if (props.rows.failure !== undefined && !props.rows.isLoaded) return null;
  // The positions of rows are inline styles, which the server's HTML must not have.
  if (!isMounted) return <TableSkeleton />;
  return (
    <Suspense fallback={<TableSkeleton />}>
      <MountedTable {...props} />
    </Suspense>
  );
}
