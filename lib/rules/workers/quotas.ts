/** How much of the disk a deployment's process may fill. */

/** Of deployments that say nothing else, and of those that were stored before there were quotas. */
export const DEFAULT_QUOTAS = { scratch_mb: 1_024, log_mb: 32 };

const MB = 1024 * 1024;
/** Empty files take no blocks, but a file system has only so many: one for 4 kB, and some in any case. */
const BYTES_A_FILE = 4 * 1024;
const LEAST_FILES = 10_000;
/** The files of a process are counted at least this often, at most this often while nothing changes, in ms. */
const SHORTEST_PAUSE = 5_000;
const LONGEST_PAUSE = 60_000;
/** Counting takes at most this part of the time. */
const SHARE = 1 / 10;

export interface DiskUse {
  bytes: number;
  files: number;
  /** Descriptors of its processes. */
  open?: number;
}

/** A process may have this many files open: with more, deleted ones that are open could not be counted in time. */
export const MOST_OPEN = 20_000;
/** Longest pause between two counts, in ms, however long a count takes. */
const LONGEST_REST = 5_000;

export function scratchQuota(scratchMb: number): DiskUse {
  const bytes = scratchMb * MB;
  return { bytes, files: Math.max(LEAST_FILES, bytes / BYTES_A_FILE) };
}

/** Why the process has to end, if it has to. */
export function scratchProblem(used: DiskUse, scratchMb: number): string | undefined {
  const quota = scratchQuota(scratchMb);
  const setting = `more than the setting scratch_mb, ${scratchMb} MB, leaves it`;
  if (used.bytes > quota.bytes) return `its files took ${Math.round(used.bytes / MB)} MB, ${setting}`;
  if (used.files > quota.files) return `it made ${used.files} files, ${setting}`;
  if ((used.open ?? 0) > MOST_OPEN) return `it holds more than ${MOST_OPEN.toLocaleString("en")} files open`;
  return undefined;
}

export interface Look {
  /** What was counted last, when (ms), and how long counting took. */
  used: DiskUse;
  at: number;
  tookMs: number;
  /** What the file system had left just before. */
  free: DiskUse;
  /** How long to wait for the next time if nothing happens, in ms. */
  pauseMs: number;
}

/**
 * Whether to count again. Counting costs time, asking a file system what is left costs nothing: as long as it has not lost
 * as much as the quota still leaves, nobody can have gone over it; unless somebody else freed as much, hence the pause.
 */
export function isLookDue(last: Look, quota: DiskUse, free: DiskUse, now: number): boolean {
  const since = now - last.at;
  if (since < Math.min(LONGEST_REST, last.tookMs / SHARE)) return false;
  const mayBeFull = (unit: "bytes" | "files"): boolean =>
    last.free[unit] - free[unit] > Math.max(0, quota[unit] - last.used[unit]);
  return since >= last.pauseMs || mayBeFull("bytes") || mayBeFull("files");
}

/** Longer from time to time, as long as nothing changes. */
export function nextPause(before: Look | undefined, used: DiskUse): number {
  if (!before || before.used.bytes !== used.bytes || before.used.files !== used.files) return SHORTEST_PAUSE;
  return Math.min(LONGEST_PAUSE, before.pauseMs * 2);
}
