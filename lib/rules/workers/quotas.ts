/** Limits the disk space of a deployment's processes. */
import { grouped } from "../text/counted.ts";

/** The quotas of deployments that set none, or were stored before these existed. `workers` is a number of processes. */
export const DEFAULT_QUOTAS = { workers: 1, scratch_mb: 1_024, log_mb: 32 };

const MB = 1024 * 1024;
/** Empty files take no blocks, but a file system has a limited number: one for each 4 kB, and at least some. */
const BYTES_A_FILE = 4 * 1024;
const LEAST_FILES = 10_000;
/** Bounds of the pause between two counts, in ms. The pause is longest while nothing changes. */
const SHORTEST_PAUSE = 5_000;
const LONGEST_PAUSE = 60_000;
/** The largest share of time that counting may take. */
const SHARE = 1 / 10;

export interface DiskUse {
  bytes: number;
  files: number;
  /** Open file descriptors of its processes. */
  open?: number;
}

/** The most files that a process may have open. With more, deleted ones that are open could not be counted in time. */
export const MOST_OPEN = 20_000;
/** Longest pause that follows from a slow count, in ms. */
const LONGEST_REST = 5_000;

export function scratchQuota(scratchMb: number): DiskUse {
  const bytes = scratchMb * MB;
  return { bytes, files: Math.max(LEAST_FILES, bytes / BYTES_A_FILE) };
}

/** Returns why the process has to end; undefined when it may go on. */
export function scratchProblem(used: DiskUse, scratchMb: number): string | undefined {
  const quota = scratchQuota(scratchMb);
  const setting = `more than the setting scratch_mb, ${scratchMb} MB, leaves it`;
  if (used.bytes > quota.bytes) return `its files took ${Math.round(used.bytes / MB)} MB, ${setting}`;
  if (used.files > quota.files) return `it made ${used.files} files, ${setting}`;
  if ((used.open ?? 0) > MOST_OPEN) return `it holds more than ${grouped(MOST_OPEN)} files open`;
  return undefined;
}

export interface DiskCount {
  /** The last count, when it was made (ms), and how long it took. */
  used: DiskUse;
  at: number;
  tookMs: number;
  /** The free space of the file system just before the count. */
  free: DiskUse;
  /** The pause until the next count if nothing happens, in ms. */
  pauseMs: number;
}

/**
 * Returns whether to count again. Counting costs time; reading a file system's free space costs nothing. Until that
 * shrinks by as much as the quota leaves, the quota cannot be exceeded, unless others freed space: hence the pause.
 */
export function isCountDue(last: DiskCount, quota: DiskUse, free: DiskUse, now: number): boolean {
  const since = now - last.at;
  if (since < Math.min(LONGEST_REST, last.tookMs / SHARE)) return false;
  const mayBeFull = (unit: "bytes" | "files"): boolean =>
    last.free[unit] - free[unit] > Math.max(0, quota[unit] - last.used[unit]);
  return since >= last.pauseMs || mayBeFull("bytes") || mayBeFull("files");
}

/** Returns the next pause, which doubles as long as nothing changes. */
export function nextPause(before: DiskCount | undefined, used: DiskUse): number {
  if (!before || before.used.bytes !== used.bytes || before.used.files !== used.files) return SHORTEST_PAUSE;
  return Math.min(LONGEST_PAUSE, before.pauseMs * 2);
}
