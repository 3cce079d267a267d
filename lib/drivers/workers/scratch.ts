/** Limits the size of the folder that a deployment's processes write to. A folder that grew too large is replaced. */
import { randomUUID } from "node:crypto";
import { chownSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  type DiskCount,
  type DiskUse,
  isCountDue,
  nextPause,
  MOST_OPEN,
  scratchProblem,
  scratchQuota,
} from "../../rules/workers/quotas.ts";
import { countFolder } from "../usage.ts";
import { removeTree } from "../remove-tree.ts";
import { unlinkedBytes } from "./unlinked.ts";

/** The interval between two checks of the file system's free space. */
const CHECK_MS = 1_000;

export interface Scratch {
  /** Empties the folder if it was too full. It must be called before a process starts. */
  open(): void;
  /** Calls `exceeded` with the reason when the folder is too full. Returns a function that stops watching. */
  watch(pid: number, exceeded: (reason: string) => void): () => void;
}

export interface ScratchOptions {
  folder: string;
  /** The folder for short-lived files, inside of `folder`. */
  temporary: string;
  /** The owner of the folder; the server's own user when left out. */
  user?: { uid: number; gid: number };
  scratchMb: number;
  /** Receives messages for the deployment's log. */
  log: (text: string) => void;
}

/** A folder that the processes of a deployment share, also those of two builds that run side by side for a moment. */
interface SharedFolder {
  /** The processes that write to the folder, keyed by their `exceeded` callbacks. */
  readonly processes: Map<(reason: string) => void, { pid: number; scratchMb: number }>;
  isFull: boolean;
  /** Set while the next check is planned or under way: processes may all end, and start again, before it is due. */
  isChecked: boolean;
  last: DiskCount | undefined;
}

const sharedFolders = new Map<string, SharedFolder>();

export function createScratch(options: ScratchOptions): Scratch {
  const { folder, user, scratchMb } = options;
  const shared = sharedFolderOf(folder);
  return {
    open() {
      if (!shared.isFull) return;
      shared.isFull = false;
      shared.last = undefined;
      replaceFolder(options);
    },
    watch(pid, exceeded) {
      shared.processes.set(exceeded, { pid, scratchMb });
      if (!shared.isChecked) checkLater(folder, shared, user?.uid);
      return () => void shared.processes.delete(exceeded);
    },
  };
}

function sharedFolderOf(folder: string): SharedFolder {
  const known = sharedFolders.get(folder);
  if (known) return known;
  const shared: SharedFolder = { processes: new Map(), isFull: false, isChecked: false, last: undefined };
  sharedFolders.set(folder, shared);
  removeEmptied(folder);
  return shared;
}

function checkLater(folder: string, shared: SharedFolder, uid: number | undefined): void {
  shared.isChecked = true;
  setTimeout(() => {
    void check(folder, shared, uid).finally(() => {
      shared.isChecked = false;
      if (shared.processes.size > 0) checkLater(folder, shared, uid);
    });
  }, CHECK_MS).unref();
}

async function check(folder: string, shared: SharedFolder, uid: number | undefined): Promise<void> {
  const free = await freeSpace(folder);
  const processes = [...shared.processes.values()];
  if (processes.length === 0) return;
  const scratchMb = Math.min(...processes.map((one) => one.scratchMb));
  const begun = performance.now();
  if (shared.last && !isCountDue(shared.last, scratchQuota(scratchMb), free, begun)) return;
  const used = await measureUse(
    folder,
    processes.map(({ pid }) => pid),
    uid,
  );
  const at = performance.now();
  shared.last = { used, at, tookMs: at - begun, free, pauseMs: nextPause(shared.last, used) };
  const problem = scratchProblem(used, scratchMb);
  if (problem === undefined) return;
  shared.isFull = true;
  for (const exceeded of shared.processes.keys()) exceeded(problem);
}

/** Returns the free space. If the system does not report it, it is 0, and only the pauses decide when to count. */
async function freeSpace(folder: string): Promise<DiskUse> {
  try {
    const { bfree, bsize, ffree } = await statfs(folder);
    return { bytes: bfree * bsize, files: ffree };
  } catch {
    return { bytes: 0, files: 0 };
  }
}

/** Measures files of the folder, and deleted files that are still open: these take space, but no listing has them. */
async function measureUse(folder: string, pids: readonly number[], uid: number | undefined): Promise<DiskUse> {
  const [{ bytes, files }, device] = await Promise.all([countFolder(folder), stat(folder).catch(() => undefined)]);
  if (!device) return { bytes, files };
  const deleted = await unlinkedBytes(pids, { uid, device: device.dev, most: MOST_OPEN });
  return { bytes: bytes + deleted.bytes, files, open: deleted.open };
}

/** Puts a new folder in its place, and deletes the old one in the background. */
function replaceFolder({ folder, temporary, user, log }: ScratchOptions): void {
  try {
    renameSync(folder, `${folder}${EMPTIED}${randomUUID()}`);
    for (const path of [folder, temporary]) {
      mkdirSync(path, { mode: 0o700 });
      if (user) chownSync(path, user.uid, user.gid);
    }
    removeEmptied(folder);
    log("its home and its temporary files were too large (scratch_mb): they were deleted");
  } catch (error) {
    log(`its home and its temporary files could not be deleted: ${error instanceof Error ? error.name : "unknown"}`);
  }
}

const EMPTIED = ".full-";

/** Deletes all replaced folders, also those that a server left when it ended. */
function removeEmptied(folder: string): void {
  const parent = dirname(folder);
  const found = readdirSync(parent).filter((name) => name.startsWith(`${basename(folder)}${EMPTIED}`));
  for (const name of found) void removeTree(join(parent, name)).catch(() => undefined);
}
