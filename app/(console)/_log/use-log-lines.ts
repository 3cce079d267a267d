"use client";

import { useCallback, useState } from "react";
import { control } from "@/lib/client/control.ts";
import { withLines } from "@/lib/client/log-lines.ts";
import type { LogLine } from "@/lib/protocol/revisions.ts";

const PAGE = 1_000;

export interface LogLines {
  lines: readonly LogLine[];
  add: (some: readonly LogLine[]) => void;
  /** Loads what comes before the first line; undefined when nothing does. */
  earlier: (() => Promise<void>) | undefined;
}

/** The lines of one log: those that are followed, and earlier ones by asking. `path` is the log's, below `/api`. */
export function useLogLines(path: string): LogLines {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  // Lines that were removed for their age leave a gap before the first that is left.
  const [floor, setFloor] = useState(0);
  const add = useCallback((some: readonly LogLine[]) => setLines((before) => withLines(before, some)), []);
  const first = lines[0]?.id ?? 0;
  const earlier = useCallback(async () => {
    const page = await control.lines(path, Math.max(-1, first - PAGE - 1), PAGE);
    const before = page.filter((line) => line.id < first);
    if (before.length === 0) setFloor(first);
    setLines((now) => withLines(now, before));
  }, [path, first]);
  return { lines, add, earlier: first > floor ? earlier : undefined };
}
