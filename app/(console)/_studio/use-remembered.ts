"use client";

import { useEffect } from "react";
import { forgetThread, rememberThread } from "#lib/client/recent-threads.ts";
import type { StudioState } from "#lib/client/studio/studio-state.ts";
import { titleOf } from "#lib/client/threads.ts";

/** Lists the shown thread among the recent ones of this browser; one that is gone is removed. */
export function useRemembered(deployment: string, graph: string, { thread, threadId: id, details }: StudioState): void {
  // A thread has the name of its graph in its metadata from its first run on.
  const title = details && titleOf({ ...details, metadata: { graph_id: graph, ...details.metadata } });
  useEffect(() => {
    if (id !== undefined && title !== undefined) rememberThread(deployment, { id, title, where: "studio", graph });
  }, [deployment, graph, id, title]);
  useEffect(() => {
    if (id !== undefined && thread === "gone") forgetThread(deployment, id);
  }, [deployment, id, thread]);
}
