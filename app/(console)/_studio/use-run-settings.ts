"use client";

import { useCallback, useState } from "react";
import { type Breakpoints, NO_BREAKPOINTS, type RunOptions } from "#lib/client/studio/request.ts";

/** The settings of the next run, kept for as long as the tab is open. */
export interface RunSettings extends Omit<RunOptions, "assistant"> {
  readonly change: (part: Partial<Omit<RunOptions, "assistant">>) => void;
  readonly toggleBreakpoint: (node: string, side: keyof Breakpoints) => void;
}

type Stored = Omit<RunOptions, "assistant">;

const START: Stored = { breakpoints: NO_BREAKPOINTS, pauseEverywhere: false, subgraphs: true };

export function useRunSettings(deployment: string, graph: string): RunSettings {
  const key = `graphlib.studio ${deployment} ${graph}`;
  const [settings, setSettings] = useState<Stored>(() => readStored(key) ?? START);
  const update = useCallback(
    (next: (before: Stored) => Stored) =>
      setSettings((before) => {
        const after = next(before);
        store(key, after);
        return after;
      }),
    [key],
  );
  const change = useCallback((part: Partial<Stored>) => update((before) => ({ ...before, ...part })), [update]);
  const toggleBreakpoint = useCallback(
    (node: string, side: keyof Breakpoints) =>
      update((before) => ({ ...before, breakpoints: toggled(before.breakpoints, node, side) })),
    [update],
  );
  return { ...settings, change, toggleBreakpoint };
}

function toggled(breakpoints: Breakpoints, node: string, side: keyof Breakpoints): Breakpoints {
  const nodes = new Set(breakpoints[side]);
  if (!nodes.delete(node)) nodes.add(node);
  return { ...breakpoints, [side]: nodes };
}

function store(key: string, { breakpoints: { before, after }, pauseEverywhere }: Stored): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ before: [...before], after: [...after], pauseEverywhere }));
  } catch {
    // Without session storage the settings last until the page is left.
  }
}

function readStored(key: string): Stored | undefined {
  try {
    const text = globalThis.sessionStorage?.getItem(key);
    if (!text) return undefined;
    // Written by `store` above.
    const { before, after, pauseEverywhere } = JSON.parse(text) as StoredText;
    return { ...START, breakpoints: { before: new Set(before), after: new Set(after) }, pauseEverywhere };
  } catch {
    return undefined;
  }
}

interface StoredText {
  before: string[];
  after: string[];
  pauseEverywhere: boolean;
}
