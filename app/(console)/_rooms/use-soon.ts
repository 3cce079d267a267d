"use client";

import { useCallback, useEffect, useRef } from "react";

const SOON_MS = 1000;

/** Returns a function that calls `call` within a second: once, however often it is called itself. */
export function useSoon(call: () => void): () => void {
  const newest = useRef(call);
  useEffect(() => {
    newest.current = call;
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      newest.current();
    }, SOON_MS);
  }, []);
}
