"use client";

import { useCallback, useEffect, useState } from "react";
import type { NamespacePage, StoreApi } from "#lib/client/store.ts";
import { useRead } from "../_ui/use-read.ts";

const PAGE = 1000;

/** Reads the namespaces of the store, in pages of 1,000. */
export function useNamespaces(api: StoreApi) {
  const [pages, setPages] = useState(1);
  const read = useCallback(async (): Promise<NamespacePage | undefined> => {
    const all = await Promise.all(Array.from({ length: pages }, (_, at) => api.namespaces(PAGE, at * PAGE)));
    const counts = all.flatMap((one) => one.counts ?? []);
    const namespaces = all.flatMap((one) => one.namespaces);
    return { namespaces, counts: counts.length === namespaces.length ? counts : undefined };
  }, [api, pages]);
  const { value, failure, refresh } = useRead<NamespacePage | undefined>(read, undefined);
  useEffect(() => void refresh(), [refresh]);
  const hasMore = value !== undefined && value.namespaces.length === pages * PAGE;
  return { page: value, failure, refresh, more: hasMore ? () => setPages(pages + 1) : undefined };
}
