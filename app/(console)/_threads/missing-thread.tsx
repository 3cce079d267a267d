"use client";

import { useParams } from "next/navigation";
import { useEffect } from "react";
import { forgetThread } from "#lib/client/recent-threads.ts";
import { LazyMissing } from "../_rooms/lazy-missing.tsx";
import { NO_THREAD } from "./thread-words.ts";

/** Replaces the page of a thread that does not exist, and removes it from the recent ones. */
export function MissingThread() {
  const { deployment, thread_id } = useParams<{ deployment: string; thread_id: string }>();
  useEffect(() => forgetThread(decodeURIComponent(deployment), thread_id), [deployment, thread_id]);
  return (
    <LazyMissing what="thread" list={{ label: "Threads", path: "threads" }}>
      {NO_THREAD}
    </LazyMissing>
  );
}
