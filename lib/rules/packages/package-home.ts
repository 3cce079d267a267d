/** Finds the package that an application belongs to, and the folder where its packages are installed. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { PackageManager } from "../../protocol/preflight.ts";
import { matchesGlob } from "../text/glob.ts";
import { type JsonProblem, type JsonText, readJsonText } from "../text/json-text.ts";

/** A folder between the application's own, which is the first level, and the source's root, which is the last. */
export interface Level {
  /** Path from the source's root, with forward slashes; empty for the root. */
  path: string;
  /** Path from the application's folder, with a slash at the end. Left out when the first level is that folder. */
  from?: string;
  /** Text of its package.json. */
  manifest?: string;
  /** Names of the lockfiles in the folder. */
  lockfiles: readonly string[];
  /** Text of its pnpm-workspace.yaml. */
  pnpmWorkspace?: string;
  /** Its .nvmrc or .node-version. */
  nodeVersion?: { name: string; text: string };
}

export const lockfilesOf: Record<PackageManager, readonly string[]> = {
  npm: ["npm-shrinkwrap.json", "package-lock.json"],
  pnpm: ["pnpm-lock.yaml"],
  yarn: ["yarn.lock"],
  bun: ["bun.lock", "bun.lockb"],
};

export interface Manifest {
  /** Index of its level. */
  level: number;
  /** Path from the application's folder. */
  file: string;
  value: JsonObject;
  at: JsonText["at"];
}

export interface PackageHome {
  /** The nearest package.json. */
  own: Manifest;
  /** The package in whose folder packages are installed: the workspace root, or the package itself. */
  base: Manifest;
  /** Path of the package from the base; empty when it is the base. */
  member: string;
  /** All manifests between the application's folder and the base, nearest first. */
  manifests: Manifest[];
}

/** Finds the package of the first level; undefined when there is no package.json, a problem when one can't be read. */
export function packageHome(levels: readonly Level[]): PackageHome | (JsonProblem & { file: string }) | undefined {
  const manifests: Manifest[] = [];
  let first: number | undefined;
  for (const [index, level] of levels.entries()) {
    if (level.manifest === undefined) continue;
    const read = readManifest(level.manifest, index, fileAt(index, "package.json", level));
    // An unreadable package.json above the package is not its workspace.
    if ("problem" in read && first === undefined) return read;
    first ??= index;
    if (!("problem" in read)) manifests.push(read);
  }
  const own = manifests[0];
  if (own === undefined) return undefined;
  const path = levels[own.level]?.path ?? "";
  const hasOwn = (levels[own.level]?.lockfiles.length ?? 0) > 0;
  const above = manifests.slice(1).find((one) => isMember(levels[one.level], one.value, path));
  const base = hasOwn || above === undefined ? own : above;
  const member = belowLevel(levels[base.level], path);
  return { own, base, member, manifests: manifests.filter(({ level }) => level <= base.level) };
}

function readManifest(text: string, level: number, file: string): Manifest | (JsonProblem & { file: string }) {
  const read = readJsonText(text);
  if ("problem" in read) return { ...read, file };
  if (isObject(read.value)) return { level, file, value: read.value, at: read.at };
  const problem = "package.json has to hold an object";
  return { problem, fix: 'Write { "dependencies": {} }.', place: { line: 1, column: 1 }, file };
}

/** Returns the path of a file in the same folder as another. */
export function beside(file: string, name: string): string {
  return file.slice(0, file.lastIndexOf("/") + 1) + name;
}

/** Returns the path of a level's file from the application's folder. */
export function fileAt(index: number, name: string, level?: Level): string {
  return (level?.from ?? "../".repeat(index)) + name;
}

function isMember(level: Level | undefined, manifest: JsonObject, path: string): boolean {
  return matchesMembers(workspacePatterns(manifest, level?.pnpmWorkspace), belowLevel(level, path));
}

/** Turns a path from the source's root into one from a level above it. */
function belowLevel(level: Level | undefined, path: string): string {
  return level === undefined || level.path === "" ? path : path.slice(level.path.length + 1);
}

/** Longer patterns are ignored, because no path is longer. */
const LONGEST_PATTERN = 4096;
/** Each pattern is matched against each folder of the source. */
const MOST_PATTERNS = 1_000;

/** Returns the patterns of a workspace's members. */
export function workspacePatterns(manifest: JsonObject, pnpmWorkspace: string | undefined): string[] {
  const listed = isObject(manifest.workspaces) ? manifest.workspaces.packages : manifest.workspaces;
  const patterns = Array.isArray(listed) ? listed.filter((one) => typeof one === "string") : [];
  const all = [...patterns, ...(pnpmWorkspace === undefined ? [] : yamlList(pnpmWorkspace, "packages"))];
  return all.filter((pattern) => pattern.length <= LONGEST_PATTERN).slice(0, MOST_PATTERNS);
}

/** Returns the items of a top-level list of a YAML text. */
function yamlList(text: string, key: string): string[] {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith(`${key}:`));
  const inline = inBrackets(lines[start] ?? "");
  if (inline !== undefined) return inline.split(",").map(unquoted);
  const rest = start < 0 ? [] : lines.slice(start + 1);
  const end = rest.findIndex((line) => /^[^\s#-]/.test(line));
  return rest.slice(0, end < 0 ? undefined : end).flatMap((line) => {
    const item = line.trimStart();
    if (!/^-\s/.test(item)) return [];
    const pattern = item.slice(1).trimStart();
    const comment = pattern.search(/\s#/);
    return unquoted(comment < 0 ? pattern : pattern.slice(0, comment));
  });
}

/** Returns the text between the first bracket and the last one. */
function inBrackets(line: string): string | undefined {
  const [open, close] = [line.indexOf("["), line.lastIndexOf("]")];
  return open < 0 || close < open ? undefined : line.slice(open + 1, close);
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/, "$2");
}

/** Returns whether the last pattern that matches a path includes it; `*` stands for one folder, `**` for any number. */
export function matchesMembers(patterns: readonly string[], path: string): boolean {
  let member = false;
  for (const pattern of patterns) {
    const excludes = pattern.startsWith("!");
    const clean = withoutEnd(pattern.replace(/^!?(?:\.?\/)*/, ""), "/");
    if (matchesPath(clean.split("/"), path.split("/"))) member = !excludes;
  }
  return member;
}

/** Matches by dynamic programming with one row per part of the pattern: linear in both, whatever the pattern. */
function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
  let reached = path.map(() => false);
  reached = [true, ...reached];
  for (const part of pattern) {
    const next = reached.map(() => false);
    for (let at = 0; at <= path.length; at++) {
      if (part === "**") next[at] = reached[at] === true || next[at - 1] === true;
      else next[at] = at > 0 && reached[at - 1] === true && matchesGlob(part, path[at - 1] ?? "");
    }
    reached = next;
  }
  return reached[path.length] === true;
}

function withoutEnd(text: string, end: string): string {
  let length = text.length;
  while (length > 0 && text[length - 1] === end) length--;
  return text.slice(0, length);
}
