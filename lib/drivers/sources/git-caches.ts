import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { createKeyedLock } from "../keyed-lock.ts";
import { folderSize } from "../usage.ts";

/** A cache with more packs, or larger packs, is created anew. That is simpler than repacking it, and as fast. */
const PACKS = 40;
const PACK_BYTES = 1024 ** 3;
/** A cache is deleted when it is unused for this long. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** The most bytes of all caches together. */
const ALL_BYTES = 5 * 1024 ** 3;

/** Bare repositories with earlier fetches, which make the next fetch small. Any of them may be deleted at any time. */
export interface GitCaches {
  /** Calls `work` alone with the repository of a key. `init` creates a missing repository. */
  use<T>(key: string, signal: AbortSignal, init: InitRepository, work: (repository: string) => Promise<T>): Promise<T>;
  /** Deletes a repository. */
  forget(key: string, signal: AbortSignal): Promise<void>;
  /** Deletes repositories that were unused for a week, and the oldest ones while all together are too large. */
  sweep(nowMs: number): Promise<void>;
}

type InitRepository = (repository: string) => Promise<unknown>;

export function createGitCaches(root: string): GitCaches {
  const exclusive = createKeyedLock();
  const folderOf = (key: string): string => join(root, `${key}.git`);

  const forget: GitCaches["forget"] = (key, signal) =>
    exclusive(key, signal, () => rm(folderOf(key), { recursive: true, force: true }));

  return {
    use: (key, signal, init, work) =>
      exclusive(key, signal, async () => {
        const repository = folderOf(key);
        await tidy(repository);
        if (!existsSync(join(repository, "HEAD"))) {
          await rm(repository, { recursive: true, force: true });
          await mkdir(root, { recursive: true });
          await init(repository);
        }
        const now = new Date();
        await utimes(repository, now, now);
        try {
          return await work(repository);
        } catch (error) {
          await tidy(repository);
          throw error;
        }
      }),
    forget,
    async sweep(nowMs) {
      const names = (await readdir(root).catch(() => [])).filter((name) => name.endsWith(".git"));
      const found = await Promise.all(
        names.map(async (name) => ({
          key: name.slice(0, -".git".length),
          bytes: await folderSize(join(root, name), new AbortController().signal),
          usedMs: (await stat(join(root, name)).catch(() => undefined))?.mtimeMs ?? 0,
        })),
      );
      let all = found.reduce((sum, { bytes }) => sum + bytes, 0);
      for (const { key, bytes, usedMs } of found.toSorted((a, b) => a.usedMs - b.usedMs)) {
        if (exclusive.isHeld(key) || (all <= ALL_BYTES && nowMs - usedMs < KEPT_MS)) continue;
        all -= bytes;
        await forget(key, new AbortController().signal);
      }
    },
  };
}

/** Deletes temporary files of a killed git, or the whole repository when it is too large. */
async function tidy(repository: string): Promise<void> {
  const files = await readdir(repository, { recursive: true, withFileTypes: true }).catch(() => []);
  let packs = 0;
  let bytes = 0;
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    if (/\.lock$|^tmp_/.test(file.name)) await rm(path, { recursive: true, force: true });
    if (!file.name.endsWith(".pack")) continue;
    packs += 1;
    bytes += (await stat(path).catch(() => undefined))?.size ?? 0;
  }
  if (packs > PACKS || bytes > PACK_BYTES) await rm(repository, { recursive: true, force: true });
}
