"use client";

import { useCallback, useState } from "react";
import { control } from "#lib/client/control.ts";
import { withLines } from "#lib/client/log-lines.ts";
import type { LogLine } from "#lib/protocol/revisions.ts";

const PAGE = 1_000;

export interface LogLines {
  lines: readonly LogLine[];
  add: (some: readonly LogLine[]) => void;
  /** Loads the lines before the first one; undefined if there are none. */
  earlier: (() => Promise<void>) | undefined;
}

/** Holds the lines of one log: new ones by `add`, earlier ones on request. `path`: that of the log, below `/api`. */
export function useLogLines(path: string): LogLines {
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  // The id of the first line that is left, when older lines were deleted.
  const [oldest, setOldest] = useState(0);
  const add = useCallback((some: readonly LogLine[]) => setLines((before) => withLines(before, some)), []);
  const first = lines[0]?.id ?? 0;
  const earlier = useCallback(async () => {
    const page = await control.lines(path, Math.max(-1, first - PAGE - 1), PAGE);
    const before = page.filter((line) => line.id < first);
    if (before.length === 0) setOldest(first);
    setLines((now) => withLines(now, before));
  }, [path, first]);
  return { lines, add, earlier: first > oldest ? earlier : undefined };
}
