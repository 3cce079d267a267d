"use client";

import { useEffect, useMemo, useRef, useState } from "react";
import { createPageList, type ListState, type PageList, type ReadPage } from "#lib/client/page-list.ts";

export interface Rows<Row> extends ListState {
  readonly list: PageList<Row>;
  /** A number that is another one after every change. */
  readonly version: number;
  /** Reads the visible rows again, those of the newest list: a request may end after the list has become another one. */
  readonly refresh: () => Promise<void>;
}

/** Reads a list page by page. Another `read` begins a new list. `keyOf` must not change. */
export function usePageList<Row>(read: ReadPage<Row>, keyOf: (row: Row) => string): Rows<Row> {
  const [version, setVersion] = useState(0);
  const list = useMemo(
    () => createPageList({ read, keyOf, onChange: () => setVersion((before) => before + 1) }),
    [read, keyOf],
  );
  const newest = useRef(list);
  useEffect(() => {
    newest.current = list;
    list.open();
    return list.close;
  }, [list]);
  return { ...list.state(), list, version, refresh: () => newest.current.refresh() };
}
