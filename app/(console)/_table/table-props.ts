import type { ReactNode } from "react";
import type { Column } from "./columns.ts";
import type { RowLabel } from "./table-row.tsx";
import type { Rows } from "./use-page-list.ts";
import type { Selection } from "./use-selection.ts";

export interface VirtualTableProps<Row extends object> {
  label: string;
  rows: Rows<Row>;
  keyOf: (row: Row) => string;
  /** The heading of the main column. */
  title: string;
  labelOf: (row: Row) => RowLabel;
  columns: readonly Column<Row>[];
  /** The page that a row opens. Without it, rows open in place and show their `detail`. */
  hrefOf?: (row: Row) => string;
  detailOf?: (row: Row) => ReactNode;
  /** The key of the row that is open in place. */
  opened?: string | undefined;
  onOpen?: (key: string | undefined) => void;
  selection?: Selection<Row>;
}
