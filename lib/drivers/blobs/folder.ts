/** Blobs in a folder that all servers see, such as a network share. */
import { randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { copyFile, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Blobs } from "./blobs.ts";

export function folderBlobs(folder: string): Blobs {
  // A folder of many thousand files is slow on a network share.
  const pathOf = (sha256: string): string => join(folder, sha256.slice(0, 2), sha256);
  return {
    place: "the folder of GRAPHLIB_BLOBS",
    has: (sha256) => Promise.resolve(existsSync(pathOf(sha256))),
    async put(sha256, file) {
      const path = pathOf(sha256);
      const part = join(folder, `.${randomUUID()}.part`);
      await mkdir(dirname(path), { recursive: true });
      try {
        await copyFile(file, part);
        await rename(part, path);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    async get(sha256) {
      const file = await open(pathOf(sha256)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
      return file && createReadStream("", { fd: file });
    },
    delete: (sha256) => rm(pathOf(sha256), { force: true }),
  };
}
