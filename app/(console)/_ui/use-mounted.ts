"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Returns false on the server and during hydration, then true. It is for content that only the browser knows. */
export function useMounted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
