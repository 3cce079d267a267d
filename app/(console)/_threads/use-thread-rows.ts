"use client";

import { useCallback, useEffect, useMemo } from "react";
import type { RoomApi } from "#lib/client/rooms.ts";
import type { ListedThread } from "#lib/client/listed-threads.ts";
import type { JsonObject } from "#lib/protocol/json.ts";
import { useFollowedThreads } from "../_rooms/use-followed-threads.ts";
import { useSettled } from "../_rooms/use-settled.ts";
import { type Rows, usePageList } from "../_table/use-page-list.ts";
import { useRead } from "../_ui/use-read.ts";
import { filterBody, type ThreadFilter } from "./thread-filter.ts";

export const keyOf = ({ thread_id }: ListedThread): string => thread_id;

const WAITING = { waiting: true };
const WAITING_BODY = JSON.stringify(WAITING);

interface ThreadRows {
  readonly rows: Rows<ListedThread>;
  /** The number of threads that match; undefined until it is known. */
  readonly total: number | undefined;
  /** The number of all threads that wait for a person. */
  readonly waiting: number | undefined;
  readonly isFiltered: boolean;
  readonly refresh: () => void;
}

/** Lists the threads that match a filter, and keeps the list up to date. */
export function useThreadRows(api: RoomApi, deployment: string, filter: ThreadFilter): ThreadRows {
  const wanted = useSettled(JSON.stringify(filterBody(filter)));
  const body = useMemo(() => JSON.parse(wanted) as JsonObject, [wanted]);
  const rows = usePageList(
    useCallback((cursor, signal) => api.threads.page(body, cursor, signal), [api, body]),
    keyOf,
  );
  // The inbox without a filter holds just what waits, so one count is both.
  const isWaiting = wanted === WAITING_BODY;
  const { value: counted, refresh: refreshTotal } = useRead<number | undefined>(
    useCallback(async () => (isWaiting ? undefined : await api.threads.count(body)), [api, body, isWaiting]),
    undefined,
  );
  const { value: waiting, refresh: refreshWaiting } = useRead<number | undefined>(
    useCallback(() => api.threads.count(WAITING), [api]),
    undefined,
  );
  const refresh = (): void => void Promise.all([rows.refresh(), refreshTotal(), refreshWaiting()]);
  const isFollowed = useFollowedThreads(deployment, { onOpen: () => void rows.refresh(), onChange: refresh });
  useEffect(() => {
    if (isFollowed) void refreshTotal();
  }, [isFollowed, refreshTotal]);
  useEffect(() => {
    if (isFollowed) void refreshWaiting();
  }, [isFollowed, refreshWaiting]);
  const total = isWaiting ? waiting : counted;
  const { waiting: _, ...conditions } = body;
  return { rows, total, waiting, isFiltered: Object.keys(conditions).length > 0, refresh };
}
