/** Installed packages that servers hand to each other, so that each set is installed once. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "../../engine/ports/ports.ts";
import type { NamedBlobs } from "../blobs/named-blobs.ts";
import type { WorkFolders } from "../work-folders.ts";
import { type PackageCache, SIZE_FILE } from "./package-cache.ts";
import { packFolder, unpackFolder } from "./packing.ts";

/** Packages that no build names are kept for this time. */
const KEPT_MS = 14 * 86_400_000;
const PREFIX = "packages/";

export interface SharedPackagesOptions {
  blobs: NamedBlobs;
  work: WorkFolders;
  logger: Logger;
}

/** Returns a cache that brings what is missing from the other servers, and gives them what was installed here. */
export function sharedPackages(cache: PackageCache, { blobs, work, logger }: SharedPackagesOptions): PackageCache {
  const bring = async (key: string, folder: string, signal: AbortSignal): Promise<boolean> => {
    const blob = await blobs.find(PREFIX + key);
    if (!blob) return false;
    try {
      await blobs.read(blob, "The packages", (bytes) => unpackFolder(bytes, folder, signal));
      return true;
    } catch (error) {
      signal.throwIfAborted();
      logger.error("packages could not be brought from the other servers, and are installed here", error);
      await rm(folder, { recursive: true });
      await mkdir(folder);
      return false;
    }
  };
  const give = async (key: string, folder: string, signal: AbortSignal): Promise<void> => {
    if (await blobs.find(PREFIX + key)) return;
    await work.use(async (scratch) => {
      const file = join(scratch, "packages");
      await packFolder(folder, file, new Set([SIZE_FILE]), signal);
      await blobs.put(PREFIX + key, file, {});
    });
  };
  return {
    ...cache,
    use: (key, revision, signal, make, use) =>
      cache.use(
        key,
        revision,
        signal,
        async (folder) => {
          if (!(await bring(key, folder, signal))) await make(folder);
        },
        async (folder) => {
          // Without them, the other servers install the packages themselves.
          await give(key, folder, signal).catch((error: unknown) => {
            signal.throwIfAborted();
            logger.error("packages could not be stored for the other servers", error);
          });
          return await use(folder);
        },
      ),
  };
}

/** Takes away the names of packages that no build names and that nobody has used for two weeks. */
export async function forgetPackages(
  blobs: Pick<NamedBlobs, "list" | "drop">,
  inUse: ReadonlySet<string>,
  nowMs: number,
): Promise<void> {
  const unused = (await blobs.list(PREFIX)).filter(
    ({ name, usedAt }) => !inUse.has(name.slice(PREFIX.length)) && nowMs - usedAt > KEPT_MS,
  );
  await blobs.drop(unused.map(({ name }) => name));
}
