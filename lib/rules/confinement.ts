/** What a process of user code is held to by Node.js itself, and what its own variables must not undo. */
import { compareVersions, type Version } from "../protocol/versions.ts";

export interface Confinement {
  /** Files and folders, with all below them. */
  read: readonly string[];
  write: readonly string[];
  /** Processes, and threads: one that is started with flags of its own is held to nothing. */
  childProcesses: boolean;
  /** Native addons, and `node:sqlite`, which asks nobody before it opens a file. */
  addons: boolean;
}

/** Hooks that need no thread of their own. */
function hasHooks(version: Version): boolean {
  return isFrom(version, [22, 15, 0], [23, 5, 0]);
}

/** `released` came to the major before this one as well, in `back`. */
function isFrom(version: Version, back: Version, released: Version): boolean {
  const isBack = version[0] === back[0] && compareVersions(version, back) >= 0;
  return isBack || compareVersions(version, released) >= 0;
}

/** Each once, without what lies below another: Node.js 20 ends at a path that it has already. */
function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
}

/** Flags of Node's permission model; none before Node.js 20, which has no such thing. */
export function permissionFlags(version: Version, { read, write, childProcesses, addons }: Confinement): string[] {
  if (version[0] < 20) return [];
  const threads = childProcesses || !hasHooks(version);
  return [
    isFrom(version, [22, 13, 0], [23, 5, 0]) ? "--permission" : "--experimental-permission",
    "--disable-warning=SecurityWarning",
    ...outermost(read).map((path) => `--allow-fs-read=${path}`),
    ...outermost(write).map((path) => `--allow-fs-write=${path}`),
    ...(childProcesses ? ["--allow-child-process"] : []),
    ...(threads ? ["--allow-worker"] : []),
    ...(addons ? ["--allow-addons"] : []),
    ...(!addons && isFrom(version, [22, 13, 0], [23, 4, 0]) ? ["--no-experimental-sqlite"] : []),
  ];
}

/** Names by which the system, or OpenSSL, loads native code before any of Node's. */
export const loaderNames = /^(?:LD_|DYLD_|GCONV_PATH$|GLIBC_TUNABLES$|OPENSSL_(?:CONF|MODULES|ENGINES)$)/;
/** Flags that allow more, spelt with `-` or `_`, and those that run code before the worker's own has closed what Node leaves open. */
const WIDER =
  /allow[-_]|permission|openssl|inspect|experimental[-_]sqlite|(?:^|[\s"])-r|--(?:require|import|loader|experimental[-_]loader)/i;

/** Without what would undo the confinement, and the names of that. */
export function confinedVariables(variables: Readonly<Record<string, string>>): {
  kept: Record<string, string>;
  dropped: string[];
} {
  const undoes = ([name, value]: [string, string]): boolean =>
    loaderNames.test(name) || (name === "NODE_OPTIONS" && WIDER.test(value));
  const entries = Object.entries(variables);
  return {
    kept: Object.fromEntries(entries.filter((entry) => !undoes(entry))),
    dropped: entries.filter(undoes).map(([name]) => name),
  };
}
