"use client";

import { useEffect } from "react";

/** Calls `refresh` at first, and whenever `version` is another one. */
export function useRefreshOn(version: unknown, refresh: () => Promise<void>): void {
  useEffect(
    () => void refresh(),
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the version stands for what is read
    [refresh, version],
  );
}
