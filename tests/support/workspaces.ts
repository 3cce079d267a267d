/** A workspace for each package manager, with the lockfile that the manager itself wrote. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createTools } from "../../lib/drivers/builds/tools.ts";
import { findNpm } from "../../lib/program-env.ts";
import type { PackageManager } from "../../lib/protocol/preflight.ts";
import { packageOf } from "../../lib/rules/packages/package-managers.ts";
import { type Files, newContext, newFolder, writeFiles } from "./built-apps.ts";
import { TOOLS } from "./built-packages.ts";

export const json = (value: object): string => JSON.stringify(value, null, 2);

export interface WorkspaceKind {
  manager: PackageManager;
  /** Undefined for the server's own npm. */
  version?: string;
  /** The range by which packages of the workspace depend on each other. */
  local: string;
  files?: Files;
  lock: string;
  /** Arguments that make the lockfile. */
  args: string[];
}

const MEMBERS = { "pnpm-workspace.yaml": 'packages:\n  - "apps/*"\n  - "packages/*"\n' };
const PNPM = {
  manager: "pnpm" as const,
  local: "workspace:*",
  files: MEMBERS,
  lock: "pnpm-lock.yaml",
  args: ["install", "--lockfile-only", "--config.manage-package-manager-versions=false"],
};
const YARN = {
  manager: "yarn" as const,
  local: "workspace:*",
  files: { ".yarnrc.yml": "nodeLinker: node-modules\n" },
  lock: "yarn.lock",
  args: ["install", "--mode=update-lockfile"],
};
export const NPM: WorkspaceKind = {
  manager: "npm",
  local: "*",
  lock: "package-lock.json",
  args: ["install", "--package-lock-only"],
};
export const kinds: Record<string, WorkspaceKind> = {
  npm: NPM,
  "pnpm 10": { ...PNPM, version: "10.34.9" },
  "pnpm 12": { ...PNPM, version: "12.20.0" },
  "yarn 1": { ...YARN, version: "1.22.22", local: "1.0.0", files: {}, args: ["install", "--ignore-scripts"] },
  "yarn 2": { ...YARN, version: "2.4.2", args: ["install", "--skip-builds"] },
  "yarn 3": { ...YARN, version: "3.8.7" },
  "yarn 4": { ...YARN, version: "4.18.1" },
  bun: {
    manager: "bun",
    version: "1.4.5",
    local: "workspace:*",
    lock: "bun.lock",
    args: ["install", "--lockfile-only"],
  },
};

const { npm, environment } = findNpm();
const tools = createTools({ npm, environment, folder: TOOLS, network: {} });

/** Returns all files of a workspace; `members` are the files of its packages. */
export async function makeSource(
  { manager, version, files, lock, args }: WorkspaceKind,
  members: Files,
): Promise<Files> {
  const workspaces = manager === "pnpm" ? {} : { workspaces: ["apps/*", "packages/*"] };
  const root = { name: "root", private: true, ...workspaces };
  const all: Files = { "package.json": json(root), ...members, ...files };
  const folder = newFolder();
  const registry = (await tools.registry(newContext())).plain.registry ?? "https://registry.npmjs.org/";
  writeFiles(folder, { ...all, ".npmrc": `registry=${registry}\n` });
  const { name, main, isNative } = packageOf({ name: manager, version }, process);
  const file = version === undefined ? npm : join(await tools.package(name, version, newContext()), main);
  const [program, ...rest] = isNative ? [file] : [process.execPath, file];
  const env = {
    ...process.env,
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
    YARN_ENABLE_TELEMETRY: "false",
    HOME: folder,
  };
  execFileSync(program ?? "", [...rest, ...args], { cwd: folder, env, stdio: "pipe" });
  // With `packageManager` set, pnpm would first look for its programs for all machines.
  const named = version === undefined ? root : { ...root, packageManager: `${manager}@${version}` };
  return { ...all, "package.json": json(named), [lock]: readFileSync(join(folder, lock), "utf8") };
}

/** Loosens the range of `is-odd` so that the locked version is not the newest that fits. */
export function withLooseRange(files: Files): Files {
  const loose = (text: string): string =>
    text
      .replaceAll('"is-odd": "3.0.0"', '"is-odd": "^3.0.0"')
      .replaceAll("specifier: 3.0.0", "specifier: ^3.0.0")
      .replaceAll(/^is-odd@3\.0\.0:/gm, "is-odd@^3.0.0:")
      .replaceAll('"is-odd@npm:3.0.0":', '"is-odd@npm:^3.0.0":')
      .replaceAll(/(is-odd: (?:"npm:)?)3\.0\.0/g, "$1^3.0.0");
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, loose(String(text))]));
}
