/** Brings installed packages into a source without links to folders, so that each file is loaded by its own path. */
import type { Dirent } from "node:fs";
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { StepFailure, type StepContext } from "../../engine/ports/builds.ts";
import { grouped } from "../../rules/text/counted.ts";
import { replaceFile } from "./private-file.ts";
import { requireFolders } from "./real-folders.ts";

const NODE_MODULES = "node_modules";
const PROGRAMS = ".bin";
/** Folders that package managers use for themselves. */
const NO_PACKAGES = new Set([".pnpm", ".cache", ".vite"]);
/** Entries that are not mirrored in a package of the source: its files find them by their own path. */
const NOT_MIRRORED = new Set([NODE_MODULES, ".git", ".graphlib"]);
/** A file beside the tree. It lists which folders of the source are linked where among the packages. */
const SOURCE_PACKAGES = "source-packages.json";
/** The most links that a message names. */
const SHOWN = 5;
/** The most files that are mirrored for packages of one source. */
const MOST_MIRRORED = 100_000;

/** Both paths are relative to the root of the source. */
export type SourcePackage = [path: string, to: string];

/**
 * Removes every link from the packages below `folder`. A link would let `link/..` bypass Node's permission model, and
 * `fs.cpSync` would create another one anywhere (Node.js 24.21). Programs become small scripts; links to folders of the
 * source are listed apart; links to files become hard links; all others are deleted. `more` are packages of the source
 * that are added to the list.
 */
export async function removeLinks(
  folder: string,
  writeLine: StepContext["writeLine"],
  more: readonly SourcePackage[] = [],
): Promise<void> {
  const tree = join(await realpath(folder), "tree");
  await requireFolders([tree]);
  const sources: SourcePackage[] = [];
  const removed: string[] = [];
  for (const path of await linksBelow(tree)) {
    const target = await realpath(path).catch(() => undefined);
    await rm(path);
    const isInside = target !== undefined && `${target}${sep}`.startsWith(tree + sep);
    const found = isInside ? await lstat(target) : undefined;
    const isPackage = target?.slice(tree.length).split(sep).includes(NODE_MODULES);
    if (target === undefined || !found || (found.isDirectory() && isPackage)) removed.push(relative(tree, path));
    else if (found.isDirectory()) sources.push([relative(tree, path), relative(tree, target)]);
    else if (found.isFile() && path.split(sep).at(-2) === PROGRAMS) await writeProgram(path, target);
    else if (found.isFile()) await hardLink(target, path);
  }
  if (removed.length > 0) {
    const text = `Links between packages are left out: ${removed.slice(0, SHOWN).join(", ")}`;
    writeLine({ stream: "us", text: removed.length > SHOWN ? `${text} and ${removed.length - SHOWN} more` : text });
  }
  for (const one of more) {
    const isThere =
      sources.some(([path]) => path === one[0]) || (await lstat(join(tree, one[0])).catch(() => undefined));
    if (!isThere) sources.push([...one]);
  }
  await replaceFile(join(folder, SOURCE_PACKAGES), JSON.stringify(sources));
}

async function linksBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isSymbolicLink()).map((entry) => join(entry.parentPath, entry.name));
}

async function writeProgram(path: string, target: string): Promise<void> {
  const file = relative(dirname(path), target).replaceAll("'", `'\\''`);
  await writeFile(path, `#!/bin/sh\nexec "$(dirname "$0")"/'${file}' "$@"\n`);
  await chmod(path, 0o755);
}

/** Creates a file from another: a hard link or a copy. */
type PutFile = (from: string, to: string) => Promise<void>;

/**
 * Puts the packages that were installed below `folder` into the source at `to`. Their folders are new, their files are
 * hard links. A package that is a folder of the source becomes a folder of links to its files, each of which is then
 * loaded by its own path, once.
 */
export async function linkPackages(folder: string, to: string, put: PutFile = hardLink): Promise<void> {
  const [source, root] = await Promise.all([realpath(join(folder, "tree")), realpath(to)]);
  for (const path of await foldersBelow(source)) {
    const target = join(root, path);
    // A folder of the source could be a link that leads anywhere.
    if ((await realpath(dirname(target))) !== dirname(target)) continue;
    await rm(target, { recursive: true, force: true });
    await linkTree(join(source, path), target, put, (entry) => entry.isDirectory() && !NO_PACKAGES.has(entry.name));
  }
  await linkOwnPackages(folder, to);
}

/** Renews the links to packages of the source itself, which may have more files after a build. */
export async function linkOwnPackages(folder: string, to: string): Promise<void> {
  const root = await realpath(to);
  const packages = JSON.parse(await readFile(join(folder, SOURCE_PACKAGES), "utf8")) as SourcePackage[];
  const left = { files: MOST_MIRRORED };
  for (const [path, of] of packages) {
    const target = join(root, path);
    await mkdir(dirname(target), { recursive: true });
    // A script may have replaced a folder by a link.
    if ((await realpath(dirname(target))) !== dirname(target)) continue;
    await rm(target, { recursive: true, force: true });
    await mirror(join(root, of), target, left);
  }
}

/** Creates a folder with the files of another as hard links. Entries that are no files or folders are left out. */
async function linkTree(
  from: string,
  to: string,
  put: PutFile,
  wanted: (entry: Dirent) => boolean = () => true,
): Promise<void> {
  const entries = (await readdir(from, { withFileTypes: true })).filter(wanted);
  await mkdir(to, { recursive: true });
  await Promise.all(
    entries.map(async (entry) => {
      const [path, target] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) await linkTree(path, target, put);
      else if (entry.isFile()) await put(path, target);
    }),
  );
}

/** Creates a hard link, or a copy if the disks differ or the file has too many links. */
async function hardLink(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EXDEV" && code !== "EMLINK" && code !== "EPERM") throw error;
    await copyFile(from, to);
  }
}

async function mirror(from: string, to: string, left: { files: number }): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
  await mkdir(to, { recursive: true });
  for (const entry of entries) {
    const [path, target] = [join(from, entry.name), join(to, entry.name)];
    if (NOT_MIRRORED.has(entry.name)) continue;
    if (entry.isDirectory()) await mirror(path, target, left);
    else if (entry.isFile()) {
      if (--left.files < 0) throw tooManyLinks();
      await symlink(path, target);
    }
  }
}

function tooManyLinks(): StepFailure {
  const most = grouped(MOST_MIRRORED);
  return new StepFailure(`The packages of the source that use each other hold more than ${most} files`, {
    fix: "Remove files from them that are not code",
  });
}

/** Returns the paths of the folders that `linkPackages` puts into a source. */
export async function packageFolders(folder: string): Promise<string[]> {
  const own = JSON.parse(await readFile(join(folder, SOURCE_PACKAGES), "utf8")) as SourcePackage[];
  return [...(await foldersBelow(join(folder, "tree"))), ...own.map(([path]) => path)];
}

/** Returns the paths of all `node_modules` that are not inside of another. */
async function foldersBelow(root: string): Promise<string[]> {
  const found: string[] = [];
  const pending = [""];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    for (const entry of await readdir(join(root, path), { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      if (entry.name === NODE_MODULES) found.push(join(path, entry.name));
      else pending.push(join(path, entry.name));
    }
  }
  return found;
}
