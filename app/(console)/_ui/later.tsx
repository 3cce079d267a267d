"use client";

import { type ReactNode, useDeferredValue } from "react";

/**
 * Returns false at first, also on the server, and true in a render of its own, which React divides: what is mounted by it
 * does not hold up the page, however large.
 */
export const useLater = (): boolean => useDeferredValue(true, false);

/** Mounts its children with `useLater`. */
export function Later({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  return useLater() ? children : fallback;
}
