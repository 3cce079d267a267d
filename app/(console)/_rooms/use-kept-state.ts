"use client";

import { useSyncExternalStore } from "react";
import { createEmitter } from "#lib/rules/emitter.ts";
import { setNewest } from "#lib/rules/set-newest.ts";

const kept = new Map<string, unknown>();
const changes = createEmitter();
/** The most states that are kept. */
const MOST = 20;

/**
 * Holds a state that is there again when its room is left by a link and opened again. It is changed also by what ends after
 * the room was left. A reload begins anew. `first`: the same object each time.
 */
export function useKeptState<T>(name: string, first: T): [T, (change: (before: T) => T) => void] {
  // Each name has one type of state.
  const read = (): T => (kept.has(name) ? (kept.get(name) as T) : first);
  const state = useSyncExternalStore(changes.on, read, () => first);
  const set = (change: (before: T) => T): void => {
    setNewest(kept, name, change(read()), MOST);
    changes.emit();
  };
  return [state, set];
}
