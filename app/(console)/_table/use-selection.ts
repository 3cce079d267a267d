"use client";

import { useCallback, useState } from "react";

export interface Selection<Row> {
  /** The selected rows by their keys. Rows stay selected when they are out of sight. */
  readonly rows: ReadonlyMap<string, Row>;
  readonly toggle: (row: Row) => void;
  /** Selects several rows in addition. */
  readonly add: (rows: readonly Row[]) => void;
  readonly clear: () => void;
}

export function useSelection<Row>(keyOf: (row: Row) => string): Selection<Row> {
  const [rows, setRows] = useState<ReadonlyMap<string, Row>>(new Map());
  const toggle = useCallback(
    (row: Row) =>
      setRows((before) => {
        const after = new Map(before);
        if (!after.delete(keyOf(row))) after.set(keyOf(row), row);
        return after;
      }),
    [keyOf],
  );
  const add = useCallback(
    (more: readonly Row[]) =>
      setRows((before) => new Map([...before, ...more.map((row) => [keyOf(row), row] as const)])),
    [keyOf],
  );
  const clear = useCallback(() => setRows(new Map()), []);
  return { rows, toggle, add, clear };
}
