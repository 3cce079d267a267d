"use client";

import { type Dispatch, type SetStateAction, useEffect, useState } from "react";
import { setNewest } from "#lib/rules/set-newest.ts";

const kept = new Map<string, unknown>();
/** The most states that are kept. */
const MOST = 20;

/** Holds a state that is there again when its room is left by a link and opened again. A reload begins anew. */
export function useKeptState<T>(name: string, first: T): [T, Dispatch<SetStateAction<T>>] {
  // Each name has one type of state. The server keeps nothing, because it runs no effects.
  const [state, setState] = useState<T>(() => (kept.has(name) ? (kept.get(name) as T) : first));
  useEffect(() => setNewest(kept, name, state, MOST), [name, state]);
  return [state, setState];
}
