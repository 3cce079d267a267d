"use client";

import { useSyncExternalStore } from "react";
import { ownHeadersText } from "@/lib/client/caller.ts";

/** The headers that were given in this tab for calls of a deployment, as they were typed; none at first. */
export function useCustomHeaders(base: string): string | undefined {
  return useSyncExternalStore(
    // A change loads the page anew.
    () => () => undefined,
    () => ownHeadersText(base),
    () => undefined,
  );
}
