/** Roles of the parts of a table whose rows are positioned, as elements of HTML tables cannot be. */
export const ROLE = {
  group: { role: "rowgroup" },
  row: { role: "row" },
  head: { role: "columnheader" },
  cell: { role: "gridcell" },
} as const;
