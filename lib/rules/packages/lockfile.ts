/** Reads the versions of listed packages from lockfiles. Each format is parsed only as far as needed. */
import { isHeavy } from "../../protocol/json-weight.ts";
import { isObject, type JsonObject, parseJson } from "../../protocol/json.ts";
import type { PackageManager } from "../../protocol/preflight.ts";
import { parseVersion } from "../../protocol/versions.ts";
import { projectDocument } from "./pnpm-lock.ts";
import { linesOf } from "../text/lines.ts";
import { allows, parseRange } from "./version-range.ts";

/** A lockfile with more names is not read. */
const MOST_NAMES = 500_000;
/** All searches of one lockfile together may scan this many characters, which takes 0.3 s. */
const MOST_SEARCHED = 2 ** 31;
/** Longest name of a package that a registry takes. */
const LONGEST_NAME = 214;

export interface Lock {
  /** Returns whether the lockfile has this package in this range; undefined when it can't tell. */
  has(name: string, range: string): boolean | undefined;
  /** Returns whether the application can import the package; undefined when the lockfile can't tell. */
  installs(name: string): boolean | undefined;
  /** Returns the installed version of a dependency with this range; undefined when the lockfile can't tell. */
  version(name: string, range: string): string | undefined;
}

/** Reads a lockfile; undefined if it is invalid. `member`: path from the lockfile's folder, empty for that folder. */
export function readLock(manager: PackageManager, text: string, member: string): Lock | undefined {
  if (manager === "npm") return npmLock(text, member);
  if (manager === "pnpm") return pnpmLock(text, member);
  if (manager === "yarn") return yarnLock(text);
  return bunLock(text, member);
}

function npmLock(text: string, member: string): Lock | undefined {
  const json = parse(text);
  const packages = isObject(json) && isObject(json.packages) ? json.packages : undefined;
  // Lockfiles of npm 6 have a tree instead.
  if (!packages) return undefined;
  const find = (name: string): JsonObject | undefined =>
    [`${member}/node_modules/${name}`, `node_modules/${name}`]
      .map((path) => packages[path.replace(/^\//, "")])
      .find(isObject);
  const version = (name: string): string | undefined => {
    const found = find(name);
    return typeof found?.version === "string" ? found.version : undefined;
  };
  return {
    has(name, range) {
      const found = find(name);
      if (found === undefined) return false;
      const at = parseVersion(version(name) ?? "");
      const spans = parseRange(range);
      // A prerelease is in fewer ranges than its release.
      return at === undefined || spans === undefined || /-/.test(version(name) ?? "") ? undefined : allows(spans, at);
    },
    installs(name) {
      const found = find(name);
      return found !== undefined && found.dev !== true;
    },
    version,
  };
}

function pnpmLock(whole: string, member: string): Lock | undefined {
  const text = whole.slice(projectDocument(whole));
  const end = text.search(/^(?:packages|snapshots):/m);
  const tree = yamlTree(end < 0 ? text : text.slice(0, end));
  const mentions = searcher(text);
  const importers = tree?.get("importers");
  const own = importers instanceof Map ? importers.get(member === "" ? "." : member) : tree;
  if (!(own instanceof Map)) return undefined;
  const kinds = ["dependencies", "optionalDependencies", "devDependencies"];
  const entry = (name: string, among: readonly string[]): YamlTree | undefined => {
    for (const kind of among) {
      const packages = own.get(kind);
      const found = packages instanceof Map ? packages.get(name) : undefined;
      if (found instanceof Map) return found;
    }
    return undefined;
  };
  // Lockfiles before version 6 have the ranges in a separate list.
  if (own.get("specifiers") instanceof Map) return undefined;
  return {
    has(name, range) {
      const specifier = entry(name, kinds)?.get("specifier");
      return specifier === undefined ? false : specifier === range;
    },
    installs: (name) => (entry(name, kinds.slice(0, 2)) ? true : mentions(name) && undefined),
    version(name) {
      const version = entry(name, kinds)?.get("version");
      return typeof version === "string" ? version.split("(", 1)[0] : undefined;
    },
  };
}

/** Reads both formats: `name@range:` of yarn 1, `"name@npm:range":` of later versions. */
function yarnLock(text: string): Lock | undefined {
  const heads = yarnVersions(text);
  if (!heads) return undefined;
  const mentions = searcher(text);
  const isPlain = (range: string): boolean => parseRange(range) !== undefined;
  return {
    has: (name, range) => (isPlain(range) ? heads.has(`${name}@${range}`) : mentions(name) && undefined),
    installs: (name) => mentions(name) && undefined,
    version: (name, range) => heads.get(`${name}@${range}`) ?? onlyVersion(heads, name),
  };
}

/** Returns the only version, if there is one: a range may be elsewhere (`catalog:`) or replaced by `resolutions`. */
function onlyVersion(heads: ReadonlyMap<string, string>, name: string): string | undefined {
  const versions = new Set<string>();
  for (const [head, version] of heads) if (head.startsWith(`${name}@`)) versions.add(version);
  return versions.size === 1 ? [...versions][0] : undefined;
}

/** Returns the version of each `name@range` in a yarn.lock. */
function yarnVersions(text: string): Map<string, string> | undefined {
  const versions = new Map<string, string>();
  for (const { line, start } of linesOf(text)) {
    if (line.length < 2 || !line.endsWith(":") || !/^\S/.test(line)) continue;
    YARN_VERSION.lastIndex = text.indexOf("\n", start) + 1;
    const version = YARN_VERSION.lastIndex === 0 ? undefined : YARN_VERSION.exec(text)?.[1];
    if (version === undefined) continue;
    for (const head of line.slice(0, -1).replaceAll('"', "").split(", "))
      versions.set(head.replace(/^(.[^@]*)@npm:/, "$1@"), version);
    if (versions.size > MOST_NAMES) return undefined;
  }
  versions.delete("__metadata");
  return versions;
}

const YARN_VERSION = /\s+version:? "?([^\s"]+)/y;

/** Returns whether two yarn.lock texts have the same content. Newer versions of yarn format it differently. */
export function isSameYarnLock(a: string, b: string): boolean {
  const [first, second] = [yarnVersions(a), yarnVersions(b)];
  if (!first || !second) return a === b;
  return first.size === second.size && isWithinYarnLock(a, b);
}

/** Returns whether the second text has all entries of the first. */
export function isWithinYarnLock(part: string, whole: string): boolean {
  const [first, second] = [yarnVersions(part), yarnVersions(whole)];
  if (!first || !second) return part === whole;
  return [...first].every(([head, version]) => second.get(head) === version);
}

function bunLock(text: string, member: string): Lock | undefined {
  const json = isHeavy(text) ? undefined : parse(withoutLastCommas(text));
  const workspaces = isObject(json) && isObject(json.workspaces) ? json.workspaces : undefined;
  const own = workspaces?.[member];
  if (!isObject(json) || !isObject(own)) return undefined;
  const packages = isObject(json.packages) ? json.packages : {};
  const ranges = ["dependencies", "optionalDependencies", "devDependencies"].map((kind) => own[kind]).filter(isObject);
  const mentions = searcher(text);
  return {
    has: (name, range) => ranges.some((listed) => listed[name] === range),
    installs: (name) => mentions(name) && undefined,
    version(name) {
      // If a workspace member's version differs from the others', it has an entry of its own.
      const entry = [`${String(own.name)}/${name}`, name].map((key) => packages[key]).find(Array.isArray);
      const id: unknown = entry?.[0];
      return typeof id === "string" && id.startsWith(`${name}@`) ? id.slice(name.length + 1) : undefined;
    },
  };
}

/** Removes trailing commas, which bun writes before closing brackets. */
function withoutLastCommas(text: string): string {
  const mark = /[",]/g;
  let kept = "";
  let from = 0;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0] === '"') mark.lastIndex = stringEnd(text, found.index);
    else {
      CLOSING.lastIndex = mark.lastIndex;
      if (!CLOSING.test(text)) continue;
      kept += text.slice(from, found.index);
      from = mark.lastIndex;
    }
  }
  return kept + text.slice(from);
}

const CLOSING = /\s*[}\]]/y;

/** Returns the offset after the quote that ends a string, or the end of the text. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === "\\") escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
  return text.length;
}

/** Returns a search for package names in the text. Once its budget is spent it finds every name. */
function searcher(text: string): (name: string) => boolean {
  let left = MOST_SEARCHED;
  return (name) => {
    if (name === "" || name.length > LONGEST_NAME) return false;
    for (let from = 0; ;) {
      if (left < 0) return true;
      const at = text.indexOf(name, from);
      left -= (at < 0 ? text.length : at) - from + LONGEST_NAME;
      if (at < 0) return false;
      const [before = "", after = ""] = [text[at - 1], text[at + name.length]];
      if (/^[^\w@.-]?$/.test(before) && /^[^\w.-]?$/.test(after)) return true;
      from = at + 1;
    }
  };
}

function parse(text: string): unknown {
  return isHeavy(text) ? undefined : parseJson(text);
}

type YamlTree = Map<string, YamlTree | string>;

/** Parses the subset of YAML that lockfiles use: one name or member per line, nested by indentation. */
function yamlTree(text: string): YamlTree | undefined {
  let names = 0;
  const top: YamlTree = new Map();
  const open: { indent: number; tree: YamlTree }[] = [{ indent: -1, tree: top }];
  for (const { line } of linesOf(text)) {
    const found = /^( *)(?:'([^']*)'|"([^"]*)"|([^\s'"#-][^:]*)):(?:\s+(\S.*)?)?$/.exec(line);
    if (!found) continue;
    if (++names > MOST_NAMES) return undefined;
    const [, spaces = "", single, double, bare, value = ""] = found;
    const key = single ?? double ?? bare ?? "";
    while ((open.at(-1)?.indent ?? -1) >= spaces.length) open.pop();
    const parent = open.at(-1)?.tree ?? top;
    if (value !== "") {
      parent.set(key, value.replace(/^(["'])(.*)\1$/, "$2"));
      continue;
    }
    const tree: YamlTree = new Map();
    parent.set(key, tree);
    open.push({ indent: spaces.length, tree });
  }
  return top;
}
