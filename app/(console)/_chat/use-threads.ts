"use client";

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { apiBase } from "@/lib/client/api-base.ts";
import { type ThreadSummary, threadApi } from "@/lib/client/threads.ts";
import { useFollow, useLive } from "../_shell/live.tsx";
import { type FirstPage, PAGE } from "./thread-list.ts";
import { RequestFailure } from "@/lib/client/refusal.ts";

/** A search covers this many of the newest threads. */
const MOST_THREADS = 1000;

export interface ThreadList {
  readonly threads: readonly ThreadSummary[];
  /** The number of threads on the server. */
  readonly total: number;
  /** The reason why the list may be out of date. */
  readonly failure?: string;
  readonly refresh: () => Promise<void>;
  readonly more: () => Promise<void>;
  /** Loads all threads that a search covers. */
  readonly all: () => Promise<void>;
  readonly rename: (thread: string, title: string) => Promise<void>;
  readonly remove: (thread: string) => Promise<void>;
}

/** Lists the threads of a deployment, newest first: those that the page was rendered with, then every change. */
export function useThreads(deployment: string, first: FirstPage): ThreadList {
  const api = useMemo(() => threadApi(apiBase(deployment)), [deployment]);
  const [{ threads, total }, setList] = useState(first);
  const [failure, setFailure] = useState<string>();
  const { link } = useLive();
  const wanted = useRef(PAGE);
  const newest = useRef(0);

  const refresh = useCallback(async () => {
    const request = ++newest.current;
    try {
      const found = await api.search(wanted.current, 0);
      if (request !== newest.current) return;
      setList(found);
      setFailure(undefined);
    } catch (error) {
      if (request === newest.current) setFailure(error instanceof RequestFailure ? error.message : String(error));
    }
  }, [api]);

  const read = useCallback(
    (count: number) => {
      wanted.current = Math.min(MOST_THREADS, Math.max(wanted.current, count));
      return refresh();
    },
    [refresh],
  );

  useFollow({ deployment, threads: true }, { onThreads: () => void refresh() });
  useEffect(() => {
    const onVisible = (): void => {
      if (document.visibilityState === "visible") void refresh();
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [refresh]);
  // Reads the list when the connection opens, and again after each reconnect.
  useEffect(() => {
    if (link === "live") void refresh();
  }, [link, refresh]);

  return {
    threads,
    total,
    failure,
    refresh,
    more: () => read(threads.length + PAGE),
    all: () => read(MOST_THREADS),
    rename: async (thread, title) => {
      await api.rename(thread, title);
      await refresh();
    },
    remove: async (thread) => {
      await api.remove(thread).catch((error: unknown) => {
        // A thread that is already deleted is no error.
        if (!(error instanceof RequestFailure && error.status === 404)) throw error;
      });
      await refresh();
    },
  };
}
