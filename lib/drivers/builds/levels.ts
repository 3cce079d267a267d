import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { FetchedSource } from "../../engine/ports/builds.ts";
import { type Level, lockfilesOf } from "../../rules/packages/package-home.ts";
import type { SourceFiles } from "./source-files.ts";

const LOCKFILES = Object.values(lockfilesOf).flat();
const NODE_VERSIONS = [".nvmrc", ".node-version"];

/** Reads the package settings of each folder, from the application's folder up to the source's root. */
export async function readLevels({ folder, root }: FetchedSource, files: SourceFiles): Promise<Level[]> {
  const parts = relative(root, folder).split(sep).filter(Boolean);
  const paths = Array.from({ length: parts.length + 1 }, (_, up) => parts.slice(0, parts.length - up).join("/"));
  return await Promise.all(paths.map((path) => readLevel(root, path, files)));
}

async function readLevel(root: string, path: string, files: SourceFiles): Promise<Level> {
  const folder = join(root, path);
  const names: string[] = await readdir(folder).catch(() => []);
  const read = async (name: string | undefined): Promise<string | undefined> =>
    name !== undefined && names.includes(name) ? await files.text(join(folder, name)) : undefined;
  const versionFile = NODE_VERSIONS.find((name) => names.includes(name));
  const version = await read(versionFile);
  const [manifest, pnpmWorkspace] = await Promise.all([read("package.json"), read("pnpm-workspace.yaml")]);
  return {
    path,
    lockfiles: LOCKFILES.filter((name) => names.includes(name)),
    ...(manifest !== undefined && { manifest }),
    ...(pnpmWorkspace !== undefined && { pnpmWorkspace }),
    ...(versionFile !== undefined && version !== undefined && { nodeVersion: { name: versionFile, text: version } }),
  };
}
