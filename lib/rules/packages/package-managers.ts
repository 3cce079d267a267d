/** Builds the command lines of each package manager. */
import type { PackageManager } from "../../protocol/preflight.ts";
import { parseVersion } from "../../protocol/versions.ts";
import { type WorkspaceMember, plainNameOf } from "./workspace.ts";

export interface Manager {
  name: PackageManager;
  /** Undefined for the version that is installed on this server. */
  version?: string;
}

/** The platform and architecture as Node.js names them. */
export interface Machine {
  platform: string;
  arch: string;
}

export interface Program {
  /** Name of the package that has the program. */
  name: string;
  /** The program's file in the package. */
  main: string;
  /** Set for an executable. Other programs are files for Node.js. */
  isNative?: boolean;
}

/** Returns the registry package of a package manager for a machine. */
export function packageOf({ name, version = "" }: Manager, { platform, arch }: Machine): Program {
  if (name === "npm") return { name, main: "bin/npm-cli.js" };
  if (name === "pnpm") return { name, main: majorOf(version) >= 11 ? "bin/pnpm.mjs" : "bin/pnpm.cjs" };
  if (name === "bun") {
    // The package `bun` has a script that copies the program out of this one.
    const [os, cpu] = [platform === "win32" ? "windows" : platform, arch === "arm64" ? "aarch64" : arch];
    return { name: `@oven/bun-${os}-${cpu}`, main: "bin/bun", isNative: true };
  }
  return isClassic(version) ? { name, main: "bin/yarn.js" } : { name: "@yarnpkg/cli-dist", main: "bin/yarn.js" };
}

function majorOf(version: string): number {
  return parseVersion(version)?.[0] ?? 0;
}

function isClassic(version: string): boolean {
  return majorOf(version) < 2;
}

const PNPM = { newest: "10.34.9", lock6: "8.15.9", lock5: "7.33.7" };
const BUN = "1.4.5";
const YARN = { newest: "4.18.1", older: "3.8.7", classic: "1.22.22" };

/**
 * Returns the version to use when a project names none. It is pinned, so that builds repeat, and reads the project's
 * lockfile as it is. Undefined for npm, which is installed on the server.
 */
export function defaultVersion(name: PackageManager, lock: string | undefined, hasYarnrc: boolean): string | undefined {
  if (name === "pnpm") {
    const format = Number(/^lockfileVersion:\s*['"]?(\d+)/m.exec(lock ?? "")?.[1] ?? 9);
    return format >= 9 ? PNPM.newest : format >= 6 ? PNPM.lock6 : PNPM.lock5;
  }
  if (name === "bun") return BUN;
  if (name === "npm") return undefined;
  if (lock === undefined || lock.trim() === "") return hasYarnrc ? YARN.newest : YARN.classic;
  const format = /^__metadata:\r?\n\s+version:\s*(\d+)/m.exec(lock)?.[1];
  if (format === undefined) return YARN.classic;
  return Number(format) >= 8 ? YARN.newest : YARN.older;
}

/**
 * Returns the version to use in place of the one that a project names. Yarn 2 cannot send a password to a proxy,
 * through which the whole install goes; yarn 3 reads its lockfile.
 */
export function workingVersion(name: PackageManager, version: string): string {
  return name === "yarn" && majorOf(version) === 2 ? YARN.older : version;
}

export interface Folders {
  /** The download cache of this package manager alone. */
  cache: string;
}

export interface ManagerCommand {
  args: string[];
  env: Record<string, string>;
  /** The command as people would type it. */
  shown: string;
}

/** A registry that does not answer is asked again soon. By default some managers wait a minute before each retry. */
const RETRIES = ["fetch-retries=2", "fetch-retry-mintimeout=1000", "fetch-retry-maxtimeout=10000"];

/**
 * Returns a command that updates the lockfile and installs nothing. If the lockfile changes, it was out of date.
 * Undefined for package managers whose install itself refuses an outdated lockfile.
 */
export function checkCommand({ name, version = "" }: Manager, { cache }: Folders): ManagerCommand | undefined {
  if (name !== "yarn" || !canFocus(version)) return undefined;
  return commandOf(name, ["install", "--mode=update-lockfile"], [], { ...berry(cache), YARN_ENABLE_SCRIPTS: "false" });
}

/** The part of a project that is installed. */
export interface Scope {
  /** Set when the install must not change the lockfile. */
  frozen: boolean;
  /** Set when development packages are installed too, which builds of other packages need. */
  dev: boolean;
  /** The needed packages of a workspace; empty when there is no workspace. */
  members: readonly WorkspaceMember[];
}

/**
 * Returns whether the package manager always installs all packages of a workspace: yarn before version 4, and pnpm in
 * the layout that is used here.
 */
export function takesAllMembers({ name, version = "" }: Manager): boolean {
  return name === "pnpm" || (name === "yarn" && !canFocus(version));
}

/**
 * Returns whether the package manager changes the lockfile although it installs the versions from it: yarn 2 and 3
 * remove packages that are not installed and rewrite lockfiles of older versions.
 */
export function changesLock({ name, version = "" }: Manager): boolean {
  return name === "yarn" && !isClassic(version) && !canFocus(version);
}

function only(
  members: readonly WorkspaceMember[],
  option: (path: string) => string[],
  root: readonly string[],
): string[] {
  return members.flatMap(({ path }) => (path === "" ? root : option(path)));
}

/** Returns the command that installs what the application needs to run. It runs no script of any package. */
export function installCommand({ name, version = "" }: Manager, scope: Scope, { cache }: Folders): ManagerCommand {
  const { frozen, dev, members } = scope;
  if (name === "npm") {
    const few = only(members, (path) => [`--workspace=${path}`], ["--include-workspace-root"]);
    const how = frozen ? ["ci"] : ["install", "--no-package-lock", "--no-save"];
    const words = [...how, ...(dev ? [] : ["--omit=dev"]), NO_SCRIPTS, ...few];
    return commandOf(name, words, [...NPM_QUIET, ...RETRIES.map((setting) => `--${setting}`)], {
      ...npmSettings(cache),
      npm_config_ignore_scripts: "true",
      // Any value works. If it is empty, npm uses that of the repository, which may make Node.js load a file.
      npm_config_node_options: "--no-deprecation",
    });
  }
  if (name === "pnpm") {
    const words = ["install", frozen ? "--frozen-lockfile" : "--no-lockfile", ...(dev ? [] : ["--prod"]), NO_SCRIPTS];
    const retries = RETRIES.map((setting) => `--config.${setting}`);
    return commandOf(name, words, ["--ignore-pnpmfile", ...pnpmSettings(cache), ...retries], {});
  }
  if (name === "bun") {
    return commandOf(name, bunWords(scope, NO_SCRIPTS), [], { BUN_INSTALL_CACHE_DIR: cache });
  }
  if (isClassic(version)) {
    const words = [...classicWords(scope), NO_SCRIPTS];
    return commandOf(name, words, [...YARN_QUIET, "--ignore-engines", "--cache-folder", cache], {
      ...CLASSIC,
      // The option does not reach a repository that is packed from its source.
      YARN_IGNORE_SCRIPTS: "true",
    });
  }
  const words = canFocus(version) ? focusWords(scope) : ["install", "--no-immutable"];
  // A package.json may enable scripts of single packages. `readsBuilt` covers versions where no option forbids that.
  const skip = canFocus(version) ? [] : ["--mode=skip-build"];
  return commandOf(name, words, skip, { ...berry(cache), YARN_ENABLE_SCRIPTS: "false" });
}

function bunWords({ frozen, dev, members }: Scope, how: string): string[] {
  const few = only(members, (path) => [`--filter=./${path}`], ["--filter=./"]);
  return ["install", frozen ? "--frozen-lockfile" : "--no-save", ...(dev ? [] : ["--production"]), how, ...few];
}

function classicWords({ frozen, dev }: Scope): string[] {
  return ["install", frozen ? "--frozen-lockfile" : "--no-lockfile", ...(dev ? [] : ["--production"])];
}

function focusWords({ members, dev }: Scope): string[] {
  return ["workspaces", "focus", ...focused(members), ...(dev ? [] : ["--production"])];
}

/** Returns the names by which the members are installed. */
function focused(members: readonly WorkspaceMember[]): string[] {
  const names = members.flatMap((member) => plainNameOf(member) ?? []);
  return names.length > 0 && names.length === members.length ? names : ["--all"];
}

/** Returns whether the package manager packs packages from their source and always runs their scripts for that. */
export function packsSources({ name, version = "" }: Manager): boolean {
  return name === "yarn" && !isClassic(version);
}

/**
 * Returns whether `built` has to be removed from every package.json before the install. The lockfile repeats it, so the
 * two are compared before that.
 */
export function readsBuilt({ name, version = "" }: Manager): boolean {
  return name === "yarn" && canFocus(version);
}

/** Returns the command that runs the install scripts of installed packages. It may use downloads from the cache. */
export function scriptsCommand({ name, version = "" }: Manager, scope: Scope, { cache }: Folders): ManagerCommand {
  if (name === "npm") {
    const allow = ["--ignore-scripts=false", "--dangerously-allow-all-scripts", "--foreground-scripts"];
    return commandOf(name, ["rebuild"], [...allow, ...NPM_QUIET], npmSettings(cache));
  }
  if (name === "pnpm") {
    const allow = ["--config.dangerously-allow-all-builds=true", "--config.ignore-scripts=false"];
    return commandOf(name, ["rebuild", "--recursive"], [...allow, ...pnpmSettings(cache)], {});
  }
  if (name === "bun") {
    return commandOf(name, bunWords(scope, "--force"), [], { BUN_INSTALL_CACHE_DIR: cache });
  }
  if (isClassic(version)) {
    const words = [...classicWords(scope), "--offline", "--force"];
    return commandOf(name, words, [...YARN_QUIET, "--ignore-engines", "--cache-folder", cache], CLASSIC);
  }
  // The command `rebuild` would install the packages of the whole workspace.
  const words = canFocus(version) && scope.members.length > 0 ? focusWords(scope) : ["rebuild"];
  return commandOf(name, words, [], { ...berry(cache), YARN_ENABLE_SCRIPTS: "true" });
}

/** Returns whether running scripts reads or writes the download cache. Npm has all files in place. */
export function needsCacheForScripts({ name }: Manager): boolean {
  return name !== "npm";
}

const NO_SCRIPTS = "--ignore-scripts";
const NPM_QUIET = ["--no-audit", "--no-fund", "--no-update-notifier", "--no-progress", "--logs-max=0"];
const YARN_QUIET = ["--non-interactive", "--no-progress"];

function commandOf(name: PackageManager, words: string[], rest: string[], env: Record<string, string>): ManagerCommand {
  return { args: [...words, ...rest], env, shown: [name, ...words].join(" ") };
}

function pnpmSettings(cache: string): string[] {
  return [
    `--store-dir=${cache}`,
    "--reporter=append-only",
    // With links into the store, code that changes one installation could change all of them.
    "--config.package-import-method=clone-or-copy",
    // The default layout uses links to folders, through which code could leave its sandbox.
    "--config.node-linker=hoisted",
    "--config.modules-dir=node_modules",
    "--config.virtual-store-dir=node_modules/.pnpm",
    "--config.enable-global-virtual-store=false",
    "--config.manage-package-manager-versions=false",
    "--config.confirm-modules-purge=false",
    "--config.update-notifier=false",
  ];
}

/**
 * Returns npm's settings as variables. For a dependency from a repository npm runs another npm inside it, with the
 * settings there. Variables override those and reach it; an option that equals npm's default is not passed on.
 */
function npmSettings(cache: string): Record<string, string> {
  return { npm_config_cache: cache, npm_config_git: "git" };
}

/** Keeps yarn 1 from running another yarn that settings name. */
const CLASSIC = { YARN_IGNORE_PATH: "1" };

/** Returns whether yarn can install selected members, and omit development packages without a new lockfile. */
function canFocus(version: string): boolean {
  return majorOf(version) >= 4;
}

function berry(cache: string): Record<string, string> {
  return {
    YARN_NM_MODE: "classic",
    YARN_ENABLE_GLOBAL_CACHE: "true",
    YARN_GLOBAL_FOLDER: cache,
    YARN_NODE_LINKER: "node-modules",
    YARN_IGNORE_PATH: "1",
    YARN_ENABLE_TELEMETRY: "false",
    YARN_ENABLE_PROGRESS_BARS: "false",
    YARN_ENABLE_HYPERLINKS: "false",
    // A separate command checks whether the lockfile was up to date.
    YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
  };
}
