"use client";

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False on the server and while its HTML is taken over; then true, where only the browser knows the answer. */
export function useMounted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
