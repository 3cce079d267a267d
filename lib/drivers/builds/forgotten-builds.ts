/** Removes what no build of any server needs any more. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { NamedBlobs } from "../blobs/named-blobs.ts";
import { removeTree } from "../remove-tree.ts";
import { BUILDS, digestIn, packagesIn } from "./shared-builds.ts";
import { forgetPackages } from "./shared-packages.ts";

/** Folders of builds that were interrupted are kept for this time. */
const UNFINISHED_MS = 86_400_000;

/** Removes the blobs that have no name, the names of unused packages, and the files of builds that were removed elsewhere. */
export async function sweepShared(home: string, blobs: NamedBlobs, nowMs: number): Promise<void> {
  const builds = await blobs.list(BUILDS);
  const keys = builds.map((blob) => packagesIn(blob)?.key).filter((key) => key !== undefined);
  await forgetPackages(blobs, new Set(keys), nowMs);
  await removeForgotten(home, new Set(builds.map(({ sha256 }) => sha256)), nowMs);
  await blobs.sweep();
}

async function removeForgotten(home: string, known: ReadonlySet<string>, nowMs: number): Promise<void> {
  const deployments = join(home, "deployments");
  for (const name of await readdir(deployments).catch(() => [])) {
    const revisions = join(deployments, name, "revisions");
    for (const number of await readdir(revisions).catch(() => [])) {
      const root = join(revisions, number);
      const digest = await digestIn(root);
      const isOld = nowMs - (await stat(root)).mtimeMs > UNFINISHED_MS;
      if (digest === undefined ? isOld : !known.has(digest)) await removeTree(root);
    }
  }
}
