import { lstat, mkdir, readdir, realpath, rm, symlink } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

const NODE_MODULES = "node_modules";
/** Kept by package managers for themselves. */
const NO_PACKAGES = new Set([".pnpm", ".cache", ".vite"]);

/**
 * Links the packages that were installed in `from` into the source at `to`, wherever there are any. What a package
 * manager has linked to a folder of the source, as workspaces are, leads to that of `to`.
 */
export async function linkPackages(from: string, to: string): Promise<void> {
  const [source, root] = await Promise.all([realpath(from), realpath(to)]);
  for (const path of await packageFolders(source)) {
    const target = join(root, path);
    // A folder of the source that is a link might lead anywhere.
    if ((await realpath(dirname(target))) !== dirname(target)) continue;
    await rm(target, { recursive: true, force: true });
    await mkdir(target, { recursive: true });
    const names = await packagesIn(join(source, path));
    await Promise.all(names.map((name) => linkOne(source, join(path, name), root)));
  }
}

async function linkOne(from: string, path: string, to: string): Promise<void> {
  const link = join(to, path);
  await mkdir(dirname(link), { recursive: true });
  const target = await realpath(join(from, path)).catch(() => undefined);
  // A link that leads nowhere is not worth one more.
  if (target === undefined) return;
  const isSource = target.startsWith(from + sep) && !target.slice(from.length).split(sep).includes(NODE_MODULES);
  if (isSource) await symlink(relative(dirname(link), join(to, relative(from, target))), link);
  else await symlink(join(from, path), link);
}

/** Paths of all `node_modules` that are not inside of another. */
async function packageFolders(root: string): Promise<string[]> {
  const found: string[] = [];
  const open = [""];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const entry of await readdir(join(root, path), { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      if (entry.name === NODE_MODULES) found.push(join(path, entry.name));
      else open.push(join(path, entry.name));
    }
  }
  return found;
}

/** Names of folders and links, with those of scopes one by one. */
async function packagesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir(folder)) {
    if (NO_PACKAGES.has(name) || !(await isFolder(join(folder, name)))) continue;
    if (!name.startsWith("@")) names.push(name);
    else for (const inner of await readdir(join(folder, name))) names.push(join(name, inner));
  }
  return names;
}

async function isFolder(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isDirectory() || found.isSymbolicLink();
}
