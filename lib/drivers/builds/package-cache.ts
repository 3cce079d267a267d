/** Caches installed packages by the key of their manifests. A folder of the cache is either complete or missing. */
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { mkdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { folderSize } from "../usage.ts";
import { createKeyedLock } from "../keyed-lock.ts";
import { replaceFile } from "./private-file.ts";

/** A file of a revision with the key of the packages that it links to. */
export const KEY_FILE = join(".graphlib", "packages");
/** A file in a folder of packages with the folder's size. Its time is that of the last use. */
export const SIZE_FILE = ".graphlib-size";

interface Limits {
  olderThanMs: number;
  bytes: number;
}

export interface PackageCache {
  /**
   * Calls `use` with the folder of a key. The folder stays during the call, and as long as `revision` (a folder of
   * revision files) exists. `make` fills a missing folder; if it fails, the folder is deleted.
   */
  use<T>(
    key: string,
    revision: string,
    signal: AbortSignal,
    make: (folder: string) => Promise<void>,
    use: (folder: string) => Promise<T>,
  ): Promise<{ made: boolean; result: T }>;
  /**
   * Deletes packages that no revision uses: those that are older, the oldest beyond `bytes` in all, and abandoned
   * folders. Returns the keys.
   */
  sweep(limits: Limits, now: number): Promise<string[]>;
}

/** `home`: the folder with `packages` and `deployments`. */
export function createPackageCache(home: string): PackageCache {
  const packages = join(home, "packages");
  const lock = createKeyedLock();
  const inUse = new Map<string, number>();
  const countUse = (key: string, by: 1 | -1): void => void inUse.set(key, (inUse.get(key) ?? 0) + by);

  return {
    async use(key, revision, signal, make, use) {
      const folder = join(packages, key);
      countUse(key, 1);
      try {
        const made = await lock(key, signal, async () => {
          if (existsSync(folder)) return false;
          await fill(packages, folder, make);
          return true;
        });
        await mkdir(join(revision, ".graphlib"), { recursive: true });
        await writeFile(join(revision, KEY_FILE), key);
        const now = new Date();
        await utimes(join(folder, SIZE_FILE), now, now);
        return { made, result: await use(folder) };
      } finally {
        countUse(key, -1);
      }
    },
    async sweep(limits, now) {
      // No await comes before the folders are hidden, so that no build can start to use an unused one meanwhile.
      const used = usedKeys(home);
      const stays = (key: string): boolean => used.has(key) || (inUse.get(key) ?? 0) > 0;
      const removed = hideUnused(packages, stays, limits, now);
      const left = [packages, join(home, "tools")].flatMap((folder) => abandonedIn(folder, now));
      for (const path of [...removed.map(({ hidden }) => hidden), ...left])
        await rm(path, { recursive: true, force: true });
      return removed.map(({ key }) => key);
    },
  };
}

/** Returns the folder of packages that a revision's files link to. */
export function packagesOf(home: string, revision: string): string | undefined {
  const file = join(revision, KEY_FILE);
  return existsSync(file) ? join(home, "packages", readFileSync(file, "utf8").trim()) : undefined;
}

async function fill(packages: string, folder: string, make: (folder: string) => Promise<void>): Promise<void> {
  const fresh = join(packages, `.new-${randomUUID()}`);
  try {
    await mkdir(fresh, { recursive: true });
    await make(fresh);
    await replaceFile(join(fresh, SIZE_FILE), String(await folderSize(fresh, new AbortController().signal)));
    await rename(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Chooses and hides folders. The names of hidden folders are not keys. */
function hideUnused(
  packages: string,
  stays: (key: string) => boolean,
  { olderThanMs, bytes }: Limits,
  now: number,
): { key: string; hidden: string }[] {
  const all = namesIn(packages)
    .filter((name) => !name.startsWith("."))
    .map((key) => ({ key, ...readSize(join(packages, key)) }))
    .toSorted((a, b) => b.at - a.at);
  let total = 0;
  const removed: { key: string; hidden: string }[] = [];
  for (const { key, at, size } of all) {
    if (stays(key) || (now - at <= olderThanMs && total + size <= bytes)) {
      total += size;
      continue;
    }
    const hidden = join(packages, `.old-${randomUUID()}`);
    renameSync(join(packages, key), hidden);
    removed.push({ key, hidden });
  }
  return removed;
}

/** Longer than any step of a build may take. */
const ABANDONED_MS = 3_600_000;

/** Returns folders that a killed server has left unfinished. */
function abandonedIn(folder: string, now: number): string[] {
  const hidden = namesIn(folder).filter((name) => /^\.(?:new|old)-/.test(name));
  return hidden.map((name) => join(folder, name)).filter((path) => now - statSync(path).mtimeMs > ABANDONED_MS);
}

/** Returns the time of the last use, in ms, and the size in bytes. */
function readSize(folder: string): { at: number; size: number } {
  const file = join(folder, SIZE_FILE);
  if (!existsSync(file)) return { at: 0, size: 0 };
  return { at: statSync(file).mtimeMs, size: Number(readFileSync(file, "utf8")) || 0 };
}

/** Returns the keys of packages that existing revisions link to. */
function usedKeys(home: string): Set<string> {
  const deployments = join(home, "deployments");
  const keys = new Set<string>();
  for (const name of namesIn(deployments)) {
    const revisions = join(deployments, name, "revisions");
    for (const number of namesIn(revisions)) {
      const file = join(revisions, number, KEY_FILE);
      if (existsSync(file)) keys.add(readFileSync(file, "utf8").trim());
    }
  }
  return keys;
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
