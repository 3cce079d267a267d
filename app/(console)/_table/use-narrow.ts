"use client";

import { useSyncExternalStore } from "react";

/** The width below which tables show their rows as cards: Tailwind's `sm`. */
const QUERY = "(width < 40rem)";

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(QUERY);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** Returns true on phones. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(QUERY).matches,
    () => false,
  );
}
