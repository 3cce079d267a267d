"use client";

import { useSyncExternalStore } from "react";
import { customHeadersText } from "#lib/client/caller.ts";

/** Returns the headers for calls of a deployment that were entered in this tab, as text; undefined on the server. */
export function useCustomHeaders(base: string): string | undefined {
  return useSyncExternalStore(
    // A change reloads the page, so there is nothing to subscribe to.
    () => () => undefined,
    () => customHeadersText(base),
    () => undefined,
  );
}
