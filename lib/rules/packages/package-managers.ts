/** How each package manager is told what to do. */
import type { PackageManager } from "../../protocol/preflight.ts";
import { parseVersion } from "../../protocol/versions.ts";
import { type Member, plainNameOf } from "./workspace.ts";

export interface Manager {
  name: PackageManager;
  /** Undefined for the one that this server has. */
  version?: string;
}

/** In Node's words. */
export interface Machine {
  platform: string;
  arch: string;
}

export interface Program {
  /** Name of the package that holds it. */
  name: string;
  /** Its file there. */
  main: string;
  /** It is started as it is; others are files for Node.js. */
  isNative?: boolean;
}

/** Where in the registry a package manager is, for a machine. */
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
 * The version that is taken where a project names none: pinned, so that builds repeat, and one that reads the project's
 * lockfile as it is. Undefined for npm, which the server has itself.
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
 * The version that is taken for the one that a project names. The second generation of yarn has no password for a proxy,
 * through which all of an install goes; the third reads its lockfile.
 */
export function workingVersion(name: PackageManager, version: string): string {
  return name === "yarn" && majorOf(version) === 2 ? YARN.older : version;
}

export interface Folders {
  /** Of downloads, of this package manager alone. */
  cache: string;
}

export interface Told {
  args: string[];
  env: Record<string, string>;
  /** What people would have typed. */
  shown: string;
}

/** A registry that does not answer is asked again soon: by default some wait a minute, and then another. */
const RETRIES = ["fetch-retries=2", "fetch-retry-mintimeout=1000", "fetch-retry-maxtimeout=10000"];

/**
 * Brings the lockfile up to date and installs nothing: whoever finds it changed knows that it was not. Undefined for those
 * whose install refuses by itself.
 */
export function checkCommand({ name, version = "" }: Manager, { cache }: Folders): Told | undefined {
  if (name !== "yarn" || !canFocus(version)) return undefined;
  return told(name, ["install", "--mode=update-lockfile"], [], { ...berry(cache), YARN_ENABLE_SCRIPTS: "false" });
}

/** What is installed of a project. */
export interface Scope {
  /** Keeps to the lockfile. */
  frozen: boolean;
  /** Packages for development, too: those that build others need them. */
  dev: boolean;
  /** Of a workspace, the packages that are needed; empty where there is no workspace. */
  members: readonly Member[];
}

/**
 * Tells whether it installs all packages of a workspace, whatever it is told: yarn before its fourth generation, and pnpm
 * in the layout that is used here.
 */
export function takesAllMembers({ name, version = "" }: Manager): boolean {
  return name === "pnpm" || (name === "yarn" && !canFocus(version));
}

/**
 * Tells whether it changes the lockfile although it takes versions from there: yarn before its fourth generation takes out
 * what is not installed, and writes the lockfiles of older ones anew.
 */
export function changesLock({ name, version = "" }: Manager): boolean {
  return name === "yarn" && !isClassic(version) && !canFocus(version);
}

function only(members: readonly Member[], option: (path: string) => string[], root: readonly string[]): string[] {
  return members.flatMap(({ path }) => (path === "" ? root : option(path)));
}

/** Installs what the application needs to run, and runs no script of any package. */
export function installCommand({ name, version = "" }: Manager, scope: Scope, { cache }: Folders): Told {
  const { frozen, dev, members } = scope;
  if (name === "npm") {
    const few = only(members, (path) => [`--workspace=${path}`], ["--include-workspace-root"]);
    const how = frozen ? ["ci"] : ["install", "--no-package-lock", "--no-save"];
    const words = [...how, ...(dev ? [] : ["--omit=dev"]), NO_SCRIPTS, ...few];
    return told(name, words, [...NPM_QUIET, ...RETRIES.map((setting) => `--${setting}`)], {
      ...npmSettings(cache),
      npm_config_ignore_scripts: "true",
      // Any value does. With an empty one npm takes that of the repository, which may have Node.js load a file.
      npm_config_node_options: "--no-deprecation",
    });
  }
  if (name === "pnpm") {
    const words = ["install", frozen ? "--frozen-lockfile" : "--no-lockfile", ...(dev ? [] : ["--prod"]), NO_SCRIPTS];
    const retries = RETRIES.map((setting) => `--config.${setting}`);
    return told(name, words, ["--ignore-pnpmfile", ...pnpmSettings(cache), ...retries], {});
  }
  if (name === "bun") {
    return told(name, bunWords(scope, NO_SCRIPTS), [], { BUN_INSTALL_CACHE_DIR: cache });
  }
  if (isClassic(version)) {
    const words = [...classicWords(scope), NO_SCRIPTS];
    return told(name, words, [...YARN_QUIET, "--ignore-engines", "--cache-folder", cache], {
      ...CLASSIC,
      // The option does not reach a repository that is packed from its source.
      YARN_IGNORE_SCRIPTS: "true",
    });
  }
  const words = canFocus(version) ? focusWords(scope) : ["install", "--no-immutable"];
  // A package.json may ask for scripts of single packages: `readsBuilt` is for where no option forbids that.
  const skip = canFocus(version) ? [] : ["--mode=skip-build"];
  return told(name, words, skip, { ...berry(cache), YARN_ENABLE_SCRIPTS: "false" });
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

/** They are asked for by name. */
function focused(members: readonly Member[]): string[] {
  const names = members.flatMap((member) => plainNameOf(member) ?? []);
  return names.length > 0 && names.length === members.length ? names : ["--all"];
}

/** Tells whether it packs packages from their source, and runs their scripts for that whatever it was told. */
export function packsSources({ name, version = "" }: Manager): boolean {
  return name === "yarn" && !isClassic(version);
}

/**
 * Tells whether `built` has to be left out of every package.json before the install. The lockfile repeats it, so the two
 * are compared before that.
 */
export function readsBuilt({ name, version = "" }: Manager): boolean {
  return name === "yarn" && canFocus(version);
}

/** Runs the install scripts of packages that are there already; what is downloaded for it is in the cache. */
export function scriptsCommand({ name, version = "" }: Manager, scope: Scope, { cache }: Folders): Told {
  if (name === "npm") {
    const allow = ["--ignore-scripts=false", "--dangerously-allow-all-scripts", "--foreground-scripts"];
    return told(name, ["rebuild"], [...allow, ...NPM_QUIET], npmSettings(cache));
  }
  if (name === "pnpm") {
    const allow = ["--config.dangerously-allow-all-builds=true", "--config.ignore-scripts=false"];
    return told(name, ["rebuild", "--recursive"], [...allow, ...pnpmSettings(cache)], {});
  }
  if (name === "bun") {
    return told(name, bunWords(scope, "--force"), [], { BUN_INSTALL_CACHE_DIR: cache });
  }
  if (isClassic(version)) {
    const words = [...classicWords(scope), "--offline", "--force"];
    return told(name, words, [...YARN_QUIET, "--ignore-engines", "--cache-folder", cache], CLASSIC);
  }
  // The command that is made for it would bring the packages of the whole workspace.
  const words = canFocus(version) && scope.members.length > 0 ? focusWords(scope) : ["rebuild"];
  return told(name, words, [], { ...berry(cache), YARN_ENABLE_SCRIPTS: "true" });
}

/** Whether running scripts reads, or writes, what was downloaded; for npm it is all in place. */
export function needsCacheForScripts({ name }: Manager): boolean {
  return name !== "npm";
}

const NO_SCRIPTS = "--ignore-scripts";
const NPM_QUIET = ["--no-audit", "--no-fund", "--no-update-notifier", "--no-progress", "--logs-max=0"];
const YARN_QUIET = ["--non-interactive", "--no-progress"];

function told(name: PackageManager, words: string[], rest: string[], env: Record<string, string>): Told {
  return { args: [...words, ...rest], env, shown: [name, ...words].join(" ") };
}

function pnpmSettings(cache: string): string[] {
  return [
    `--store-dir=${cache}`,
    "--reporter=append-only",
    // A link into the store would let whoever changes one installation change them all.
    "--config.package-import-method=clone-or-copy",
    // Its own layout is made of links to folders, which code could leave its fence by.
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
 * For a repository that is a dependency npm runs another npm inside of it, with the settings that lie there. Variables win
 * over those, and reach it; an option that says what npm does anyway is not handed on.
 */
function npmSettings(cache: string): Record<string, string> {
  return { npm_config_cache: cache, npm_config_git: "git" };
}

/** Keeps yarn's first generation from running another yarn that settings name. */
const CLASSIC = { YARN_IGNORE_PATH: "1" };

/** Earlier generations install development packages, too: they can't leave them out and keep the lockfile. */
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
    // Whether the lockfile was up to date is seen apart from it.
    YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
  };
}
