"use client";

import { useEffect } from "react";
import { useFollow } from "../_shell/live.tsx";
import { useSoon } from "./use-soon.ts";

/** Calls `refresh` at first, with each new connection, and at most once a second when runs begin or end. */
export function useRefresh(deployment: string, refresh: () => Promise<void>): void {
  useEffect(() => void refresh(), [refresh]);
  useFollow({ deployment, threads: true }, { onThreads: useSoon(() => void refresh()) });
}
