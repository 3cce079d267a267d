import { type ColumnDef, metaHelper, rowSelectionFeature, tableFeatures } from "@tanstack/react-table";

/** The features of TanStack Table that the console's tables use. */
export const features = tableFeatures({
  rowSelectionFeature,
  columnMeta: metaHelper<{
    /** The classes of the column's cells: their width, and from which screen width on they are shown. */
    cell: string;
    /** True if the heading is for screen readers only. */
    isUntitled?: boolean;
  }>(),
});

export type Column<Row extends object> = ColumnDef<typeof features, Row>;
