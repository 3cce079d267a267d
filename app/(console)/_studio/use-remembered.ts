"use client";

import { useEffect } from "react";
import { forgetThread, rememberThread } from "#lib/client/recent-threads.ts";
import type { StudioState } from "#lib/client/studio/studio-state.ts";
import { titleOfThread } from "#lib/client/threads.ts";

/** Lists the shown thread among the recent ones of this browser; one that is gone is removed. */
export function useRemembered(deployment: string, graph: string, { thread, threadId: id, details }: StudioState): void {
  const title = details && id !== undefined ? (titleOfThread(details) ?? `${graph} ${id.slice(-4)}`) : undefined;
  useEffect(() => {
    if (id !== undefined && title !== undefined) rememberThread(deployment, { id, title, where: "studio", graph });
  }, [deployment, graph, id, title]);
  useEffect(() => {
    if (id !== undefined && thread === "gone") forgetThread(deployment, id);
  }, [deployment, id, thread]);
}
