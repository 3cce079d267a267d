"use client";

import { useEffect, useState } from "react";

const SETTLE_MS = 250;

/** Returns the value once it has not changed for a moment, so that not every letter starts a search. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
