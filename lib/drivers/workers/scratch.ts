/** The one folder that a deployment's processes write to: watched while there is a process, and emptied when it was too full. */
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

/** What the file system has left is asked this often. */
const CHECK_MS = 1_000;

export interface Scratch {
  /** Empties the folder if it was too full; to be called before a process starts. */
  open(): void;
  /** Calls back with the reason when there is too much in it, until the function it answers is called. */
  watch(pid: number, exceeded: (reason: string) => void): () => void;
}

export interface ScratchOptions {
  folder: string;
  /** In it, for short-lived files. */
  temporary: string;
  /** Whose it is; the server's own when left out. */
  user?: { uid: number; gid: number };
  scratchMb: number;
  /** Gets what happened, in words. */
  log: (text: string) => void;
}

/** What several processes share: two builds of a deployment run side by side for a moment. */
interface SharedFolder {
  readonly processes: Map<(reason: string) => void, { pid: number; scratchMb: number }>;
  isFull: boolean;
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
      if (shared.processes.size === 1) checkLater(folder, shared, user?.uid);
      return () => void shared.processes.delete(exceeded);
    },
  };
}

function sharedFolderOf(folder: string): SharedFolder {
  const known = sharedFolders.get(folder);
  if (known) return known;
  const shared: SharedFolder = { processes: new Map(), isFull: false, last: undefined };
  sharedFolders.set(folder, shared);
  removeEmptied(folder);
  return shared;
}

function checkLater(folder: string, shared: SharedFolder, uid: number | undefined): void {
  setTimeout(() => {
    void check(folder, shared, uid).finally(() => {
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

/** Nothing where it can't be asked: then only the pauses count. */
async function freeSpace(folder: string): Promise<DiskUse> {
  try {
    const { bfree, bsize, ffree } = await statfs(folder);
    return { bytes: bfree * bsize, files: ffree };
  } catch {
    return { bytes: 0, files: 0 };
  }
}

/** Files that were deleted and are still open take their place as well, and no listing has them. */
async function measureUse(folder: string, pids: readonly number[], uid: number | undefined): Promise<DiskUse> {
  const [{ bytes, files }, device] = await Promise.all([countFolder(folder), stat(folder).catch(() => undefined)]);
  if (!device) return { bytes, files };
  const deleted = await unlinkedBytes(pids, { uid, device: device.dev, most: MOST_OPEN });
  return { bytes: bytes + deleted.bytes, files, open: deleted.open };
}

/** A new folder in its place; what was in it goes in the background. */
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

/** Also what a server left that ended meanwhile. */
function removeEmptied(folder: string): void {
  const parent = dirname(folder);
  const found = readdirSync(parent).filter((name) => name.startsWith(`${basename(folder)}${EMPTIED}`));
  for (const name of found) void removeTree(join(parent, name)).catch(() => undefined);
}
