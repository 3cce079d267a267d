/** Reads the files of a source that determine which packages are installed. */
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { StepFailure } from "../../engine/ports/builds.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { PackageManager } from "../../protocol/preflight.ts";
import {
  isSettingsFile,
  keptManifest,
  keptNpmrc,
  keptPnpmWorkspace,
  keptYarnrc,
  pnpmWorkspaceOf,
  pointsAtBase,
  withoutBuilt,
} from "../../rules/packages/install-config.ts";
import { narrowedPnpmLock } from "../../rules/packages/pnpm-lock.ts";
import { type WorkspaceMember, narrowedTo } from "../../rules/packages/workspace.ts";
import { expandLines } from "../../rules/packages/registry-settings.ts";
import { grouped } from "../../rules/text/counted.ts";
import { replaceFile, writePrivateFile } from "./private-file.ts";
import { readMembers } from "./members.ts";
import { requireBelow } from "./real-folders.ts";
import { readEntries, NO_SOURCES, type SourceFiles } from "./source-files.ts";

/** All paths are relative to the source's root. */
export interface Manifests {
  root: string;
  /** The folder in which packages are installed. */
  base: string;
  /** Packages of the workspace. The first is the one in `base`. */
  members: WorkspaceMember[];
  /** True when other members of the workspace are left out. */
  isNarrowed: boolean;
  /** Texts of files by path. */
  texts: Map<string, string>;
  /** The allowed part of the project's settings, with credentials of registries (`whole`) and without (`open`). */
  settings: Map<string, { whole: string; open: string }>;
  /** Folders and archives that a package.json names, and patches. They are copied unchanged. */
  copied: string[];
  lockfile?: string;
}

const MOST_FILES = 5_000;
/** Folders in which package managers keep patches of packages. */
const PATCHES = ["patches", ".yarn/patches"];

/** The settings files of each package manager, with the function that returns the allowed part. */
const SETTINGS: Record<PackageManager, Record<string, (text: string, withSecrets: boolean) => string>> = {
  npm: { ".npmrc": keptNpmrc },
  pnpm: { ".npmrc": keptNpmrc, "pnpm-workspace.yaml": keptPnpmWorkspace },
  yarn: { ".npmrc": keptNpmrc, ".yarnrc.yml": keptYarnrc },
  bun: { ".npmrc": keptNpmrc },
};
/** Without this file, pnpm looks for one in the parent folders. */
const NO_WORKSPACE = 'packages:\n  - "."\n';
/** Bun's other layout consists of links to folders, which code could use to leave its fence. */
const BUN_LAYOUT = '[install]\nlinker = "hoisted"\n';

export interface ManifestsOptions {
  root: string;
  base: string;
  manager: PackageManager;
  lockfile?: string;
  /** The only members of the workspace that keep their dependencies; all when left out. */
  only?: readonly string[];
}

/** Throws `StepFailure` for a package.json that can't be read. */
export async function readManifests(
  { root, base, manager, lockfile, only }: ManifestsOptions,
  files: SourceFiles,
): Promise<Manifests> {
  const texts = new Map<string, string>();
  const settings: Manifests["settings"] = new Map();
  for (const [name, keep] of Object.entries(SETTINGS[manager])) {
    const text = await files.text(join(root, base, name));
    if (text !== undefined) settings.set(join(base, name), { whole: keep(text, true), open: keep(text, false) });
  }
  const yaml = join(base, "pnpm-workspace.yaml");
  const workspace = settings.get(yaml)?.whole;
  if (manager === "pnpm" && workspace === undefined) texts.set(yaml, NO_WORKSPACE);
  if (manager === "bun") texts.set(join(base, "bunfig.toml"), BUN_LAYOUT);
  const all = await readMembers(root, base, workspace, files);
  const kept = new Set(only ?? all.map(({ path }) => path));
  if (manager === "pnpm" && pointsAtBase(all[0]?.manifest ?? {}, workspace ?? "")) kept.add("");
  const isNarrowed = all.some(({ path }) => !kept.has(path));
  const members = isNarrowed ? narrowedTo(all, kept) : all;
  if (isNarrowed && workspace !== undefined) {
    const paths = members.map(({ path }) => path);
    const text = pnpmWorkspaceOf(workspace, paths.filter(Boolean));
    settings.set(yaml, { whole: text, open: text });
    const lock = lockfile === undefined ? undefined : await files.longText(join(root, lockfile));
    if (lockfile !== undefined && lock !== undefined) texts.set(lockfile, narrowedPnpmLock(lock, kept, new Set(paths)));
  }
  const folders = new Set(members.map(({ path }) => join(base, path)));
  const copied = new Set<string>();
  for (const { path: member, manifest } of members) {
    const folder = join(base, member);
    texts.set(join(folder, "package.json"), JSON.stringify(keptManifest(manifest)));
    for (const local of localPackages(manifest)) {
      const target = relative(root, resolve(root, folder, local));
      const kind = await files.kind(join(root, target));
      const isOwn = folders.has(target) || target === "" || base.startsWith(target + sep);
      if (!isOwn && (kind === "file" || kind === "folder")) copied.add(target);
    }
  }
  for (const path of PATCHES.map((name) => join(base, name)))
    if ((await files.kind(join(root, path))) === "folder") copied.add(path);
  const found = { root, base, members, isNarrowed, texts, settings, copied: [...copied] };
  return lockfile === undefined ? found : { ...found, lockfile };
}

/** Returns the paths of packages that lie in the source itself. */
function localPackages(manifest: JsonObject): string[] {
  const kinds = ["dependencies", "devDependencies", "optionalDependencies"];
  const ranges = kinds.flatMap((kind) => Object.values(isObject(manifest[kind]) ? manifest[kind] : {}));
  return ranges.flatMap((range) => {
    const path = typeof range === "string" ? /^(?:file|link|portal):(?!\/\/)(.+)$/.exec(range)?.[1] : undefined;
    return path ?? [];
  });
}

/** Returns a key of the installed packages: the same for the same files. `about`: what else they depend on. */
export async function keyOf(manifests: Manifests, about: unknown): Promise<string> {
  const { root, base, texts, settings, copied, lockfile } = manifests;
  const hash = createHash("sha256").update(JSON.stringify([about, base]));
  const add = (path: string, bytes: string | Buffer): void =>
    void hash.update(`${path}\0${createHash("sha256").update(bytes).digest("hex")}\n`);
  for (const path of [...texts.keys()].toSorted()) add(path, texts.get(path) ?? "");
  for (const path of [...settings.keys()].toSorted()) add(path, settings.get(path)?.whole ?? "");
  if (lockfile !== undefined) add(lockfile, await readFile(join(root, lockfile)));
  for (const path of copied.toSorted()) {
    for (const file of await filesBelow(root, path)) add(relative(root, file), await readFile(file));
  }
  return hash.digest("hex").slice(0, 40);
}

/** Writes these files to another folder, at the same paths. */
export async function writeManifests({ root, texts, copied, lockfile }: Manifests, into: string): Promise<void> {
  for (const path of [...copied, lockfile]) {
    if (path === undefined) continue;
    for (const file of await filesBelow(root, path)) {
      const target = join(into, relative(root, file));
      await mkdir(dirname(target), { recursive: true });
      await cp(file, target, { dereference: true });
    }
  }
  for (const [path, text] of texts) {
    await mkdir(dirname(join(into, path)), { recursive: true });
    await writeFile(join(into, path), text);
  }
}

/** Writes every package.json without `built`, by which some versions of yarn would run scripts of packages. */
export async function leaveOutBuilt({ texts }: Manifests, into: string): Promise<void> {
  for (const [path, text] of texts) {
    if (basename(path) !== "package.json") continue;
    const manifest = JSON.parse(text) as JsonObject;
    await replaceFile(join(into, path), JSON.stringify(withoutBuilt(manifest)));
  }
}

/** Replaces the project's settings. Throws `StepFailure` if a script has left a link in the path. */
export async function writeSettings(
  { settings }: Manifests,
  into: string,
  withSecrets: boolean,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, { whole, open }] of settings) {
    await requireBelow(into, path);
    await rm(join(into, path), { recursive: true, force: true });
    await writePrivateFile(join(into, path), withSecrets ? expandLines(whole, values) : open);
  }
}

/**
 * Returns the file, or all files of a folder without its installed packages and links. Settings files are left out:
 * package managers read them in parent folders as well, and they name programs to run.
 */
async function filesBelow(root: string, path: string): Promise<string[]> {
  const top = join(root, path);
  if ((await stat(top)).isFile()) return isSettingsFile(basename(top)) ? [] : [top];
  const found: string[] = [];
  const pending = [top];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of await readEntries(folder)) {
      if (entry.isFile() && !isSettingsFile(entry.name)) found.push(join(folder, entry.name));
      else if (entry.isDirectory() && !NO_SOURCES.has(entry.name)) pending.push(join(folder, entry.name));
    }
    if (found.length > MOST_FILES) {
      throw new StepFailure(`${path} holds more than ${grouped(MOST_FILES)} files`, {
        fix: "Remove files from it that are not code",
      });
    }
  }
  return found.toSorted();
}
