/** Checks folders that foreign programs could write to, because a link could lead the host elsewhere. */
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { StepFailure } from "../../engine/ports/builds.ts";

/** Throws `StepFailure` unless all paths are folders and not links. */
export async function requireFolders(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await lstat(path).catch(() => undefined);
    if (!found?.isDirectory()) throw replacedFailure(basename(path));
  }
}

/** Throws `StepFailure` if a link lies on the way from a folder to a path below it. The file itself may be missing. */
export async function requireBelow(root: string, path: string): Promise<void> {
  await requireFolders([root]);
  const folder = dirname(path);
  const [own, real] = await Promise.all([realpath(root), realpath(join(root, folder)).catch(() => undefined)]);
  if (real !== join(own, folder)) throw replacedFailure(folder);
  await requireFolders([real]);
}

function replacedFailure(folder: string): StepFailure {
  return new StepFailure(`A script of a package removed the folder ${folder} or replaced it by a link`, {
    fix: "Find the package that does that, and remove it",
  });
}
