"use client";

import { useCallback, useEffect, useMemo, useRef } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { threadApi } from "#lib/client/threads.ts";
import { RequestFailure } from "#lib/client/refusal.ts";
import type { SubscribeToThreads } from "../_shell/use-thread-changes.ts";
import { useRead } from "../_ui/use-read.ts";
import { type FirstPage, PAGE } from "./thread-list.ts";

/** A search covers this many of the newest threads. */
const MOST_THREADS = 1000;

export interface ThreadList extends FirstPage {
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
export function useThreads(deployment: string, first: FirstPage, changes: SubscribeToThreads): ThreadList {
  const api = useMemo(() => threadApi(apiBase(deployment)), [deployment]);
  const wanted = useRef(PAGE);
  const read = useCallback(() => api.search(wanted.current, 0), [api]);
  const { value, failure, refresh } = useRead<FirstPage>(read, first);
  const load = (count: number): Promise<void> => {
    wanted.current = Math.min(MOST_THREADS, Math.max(wanted.current, count));
    return refresh();
  };

  useEffect(() => changes(() => void refresh()), [changes, refresh]);

  return {
    ...value,
    failure,
    refresh,
    more: () => load(value.threads.length + PAGE),
    all: () => load(MOST_THREADS),
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
