/** Checks folders that strangers' programs could write to before the host works in them: a link would lead it elsewhere. */
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { StepFailure } from "../../engine/ports/builds.ts";

/** Throws `StepFailure` unless all of them are folders, and none a link. */
export async function requireFolders(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const found = await lstat(path).catch(() => undefined);
    if (!found?.isDirectory()) throw replaced(basename(path));
  }
}

/** Throws `StepFailure` unless a path below a folder lies there by its real path, too. The file itself may be missing. */
export async function requireBelow(root: string, path: string): Promise<void> {
  await requireFolders([root]);
  const folder = dirname(path);
  const [own, real] = await Promise.all([realpath(root), realpath(join(root, folder)).catch(() => undefined)]);
  if (real !== join(own, folder)) throw replaced(folder);
  await requireFolders([real]);
}

function replaced(folder: string): StepFailure {
  return new StepFailure(`A script of a package took away the folder ${folder}, or put a link in its place`, {
    fix: "Find out which package does that, and leave it out",
  });
}
