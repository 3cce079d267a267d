"use client";

import { useEffect, useMemo, useState } from "react";
import { createPageList, type ListState, type PageList, type ReadPage } from "#lib/client/page-list.ts";

export interface Rows<Row> extends ListState {
  readonly list: PageList<Row>;
  /** A number that is another one after every change. */
  readonly version: number;
  /** Reads the visible rows again. */
  readonly refresh: () => Promise<void>;
}

/** Reads a list page by page. Another `read` begins a new list. `keyOf` must not change. */
export function usePageList<Row>(read: ReadPage<Row>, keyOf: (row: Row) => string): Rows<Row> {
  const [version, setVersion] = useState(0);
  const list = useMemo(
    () => createPageList({ read, keyOf, onChange: () => setVersion((before) => before + 1) }),
    [read, keyOf],
  );
  useEffect(() => {
    list.open();
    return list.close;
  }, [list]);
  return { ...list.state(), list, version, refresh: list.refresh };
}
