/** Restricts processes of user code by Node's permission model, and removes variables that would undo that. */
import { compareVersions, type Version } from "../../protocol/versions.ts";

export interface Confinement {
  /** Files and folders, with everything below them. */
  read: readonly string[];
  write: readonly string[];
  /** Allows child processes and threads. One that is started with its own flags has no restrictions. */
  childProcesses: boolean;
  /** Allows native addons, and `node:sqlite`, which opens files without a permission check. */
  addons: boolean;
}

/** Returns whether the version has a feature added in `released` and backported to the previous major in `back`. */
function isFrom(version: Version, back: Version, released: Version): boolean {
  const isBack = version[0] === back[0] && compareVersions(version, back) >= 0;
  return isBack || compareVersions(version, released) >= 0;
}

/** Returns each path once, without those below another: Node.js 20 fails on a path that is already covered. */
function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths)];
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
}

/** Returns the flags of Node's permission model; none before Node.js 20, which does not have it. */
export function permissionFlags(version: Version, { read, write, childProcesses, addons }: Confinement): string[] {
  if (version[0] < 20) return [];
  // The module hooks of older versions need a thread of their own.
  const threads = childProcesses || !isFrom(version, [22, 15, 0], [23, 5, 0]);
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

/** Names of variables by which the system, or OpenSSL, loads native code before Node.js starts. */
export const loaderNames = /^(?:LD_|DYLD_|GCONV_PATH$|GLIBC_TUNABLES$|OPENSSL_(?:CONF|MODULES|ENGINES)$)/;
/** Names of variables from which Bash, as `/bin/sh`, runs code. */
const shellNames = /^(?:SHELLOPTS|BASHOPTS|BASH_ENV|PS4)$/;
/** Matches plain names. Bash imports variables with some other names as functions. */
const NAME = /^[\w.-]+$/;
/**
 * Matches flags of `NODE_OPTIONS` that change neither what code may do nor where Node.js writes. Quotes and backslashes
 * are excluded, because they could spell any other flag.
 */
const FLAGS = new RegExp(
  `^--(?:no[-_])?(?:${[
    "enable[-_]source[-_]maps|(?:trace|throw|pending)[-_]deprecation|deprecation|trace[-_](?:warnings|uncaught|exit|sigint)",
    "warnings|disable[-_]warning|unhandled[-_]rejections|stack[-_]trace[-_]limit|dns[-_]result[-_]order",
    "network[-_]family[-_]autoselection(?:[-_]attempt[-_]timeout)?|max[-_]http[-_]header[-_]size|insecure[-_]http[-_]parser",
    "use[-_](?:system|bundled)[-_]ca|tls[-_](?:min|max)[-_]v1\\.[0-3]|tls[-_]cipher[-_]list|conditions|experimental[-_]global[-_]\\w+",
    "experimental[-_](?:strip[-_]types|transform[-_]types|fetch|websocket|eventsource|vm[-_]modules|wasm[-_]modules|json[-_]modules)",
    "max[-_](?:old[-_]space|semi[-_]space)[-_]size|experimental[-_](?:require[-_]module|detect[-_]module)|verify[-_]base[-_]objects",
  ].join("|")})(?:=[\\w.:,+@/-]*)?$`,
);

function isHarmless(options: string): boolean {
  return options
    .split(/\s+/)
    .filter((flag) => flag !== "")
    .every((flag) => FLAGS.test(flag));
}

/** Returns the variables without those that would undo the confinement, and the names of the dropped ones. */
export function confinedVariables(variables: Readonly<Record<string, string>>): {
  kept: Record<string, string>;
  dropped: string[];
} {
  const undoes = ([name, value]: [string, string]): boolean =>
    !NAME.test(name) ||
    loaderNames.test(name) ||
    shellNames.test(name) ||
    (name === "NODE_OPTIONS" && !isHarmless(value));
  const entries = Object.entries(variables);
  return {
    kept: Object.fromEntries(entries.filter((entry) => !undoes(entry))),
    dropped: entries.filter(undoes).map(([name]) => name),
  };
}
