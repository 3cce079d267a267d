/** What lockfiles say of the packages that a package.json asks for. Each is read as far as that needs. */
import { isObject, type JsonObject } from "../protocol/json.ts";
import type { PackageManager } from "../protocol/preflight.ts";
import { parseVersion } from "../protocol/versions.ts";
import { allows, parseRange } from "./version-range.ts";

export interface Lock {
  /** Whether it has this package in this range. Undefined when it can't tell. */
  has(name: string, range: string): boolean | undefined;
  /** Whether the application can import the package. Undefined when it can't tell. */
  installs(name: string): boolean | undefined;
  /** The version that the application gets. */
  version(name: string): string | undefined;
}

/** `member`: path of the package from the lockfile's folder, empty for that folder. Undefined for what can't be read. */
export function readLock(manager: PackageManager, text: string, member: string): Lock | undefined {
  if (manager === "npm") return npmLock(text, member);
  if (manager === "pnpm") return pnpmLock(text, member);
  if (manager === "yarn") return yarnLock(text);
  return bunLock(text, member);
}

function npmLock(text: string, member: string): Lock | undefined {
  const json = parse(text);
  const packages = isObject(json) && isObject(json.packages) ? json.packages : undefined;
  // Locks of npm 6 have a tree instead.
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
      // A version before a release is in fewer ranges than the release itself.
      return at === undefined || spans === undefined || /-/.test(version(name) ?? "") ? undefined : allows(spans, at);
    },
    installs(name) {
      const found = find(name);
      return found !== undefined && found.dev !== true;
    },
    version,
  };
}

function pnpmLock(text: string, member: string): Lock | undefined {
  const head = text.split(/^(?:packages|snapshots):/m)[0] ?? "";
  const tree = yamlTree(head);
  const importers = tree.get("importers");
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
  // Before version 6 ranges stood in a list of their own.
  if (own.get("specifiers") instanceof Map) return undefined;
  return {
    has(name, range) {
      const specifier = entry(name, kinds)?.get("specifier");
      return specifier === undefined ? false : specifier === range;
    },
    installs: (name) => (entry(name, kinds.slice(0, 2)) ? true : mentions(text, name) && undefined),
    version(name) {
      const version = entry(name, kinds)?.get("version");
      return typeof version === "string" ? version.replace(/\(.*$/, "") : undefined;
    },
  };
}

/** Both forms: `name@range:` of the first, `"name@npm:range":` of later ones. */
function yarnLock(text: string): Lock {
  const heads = yarnVersions(text);
  const isPlain = (range: string): boolean => parseRange(range) !== undefined;
  return {
    has: (name, range) => (isPlain(range) ? heads.has(`${name}@${range}`) : mentions(text, name) && undefined),
    installs: (name) => mentions(text, name) && undefined,
    version: () => undefined,
  };
}

/** What a yarn.lock says for each range of a package. */
function yarnVersions(text: string): Map<string, string> {
  const versions = new Map<string, string>();
  for (const { groups } of text.matchAll(/^(?<heads>\S[^\n]*):\r?\n\s+version:? "?(?<version>[^\s"]+)/gm)) {
    for (const head of (groups?.heads ?? "").replaceAll('"', "").split(", "))
      versions.set(head.replace(/^(.[^@]*)@npm:/, "$1@"), groups?.version ?? "");
  }
  versions.delete("__metadata");
  return versions;
}

/** Whether two texts of a yarn.lock say the same; newer versions of yarn write it in other ways. */
export function isSameYarnLock(a: string, b: string): boolean {
  const [first, second] = [yarnVersions(a), yarnVersions(b)];
  return first.size === second.size && [...first].every(([head, version]) => second.get(head) === version);
}

function bunLock(text: string, member: string): Lock | undefined {
  // Its JSON has commas before closing brackets.
  const json = parse(
    text.replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? ""),
  );
  const workspaces = isObject(json) && isObject(json.workspaces) ? json.workspaces : undefined;
  const own = workspaces?.[member];
  if (!isObject(own)) return undefined;
  const ranges = ["dependencies", "optionalDependencies", "devDependencies"].map((kind) => own[kind]).filter(isObject);
  return {
    has: (name, range) => ranges.some((packages) => packages[name] === range),
    installs: (name) => mentions(text, name) && undefined,
    version: () => undefined,
  };
}

/** Whether a package's name stands anywhere. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + name.length]];
    if (/^[^\w@.-]?$/.test(before) && /^[^\w.-]?$/.test(after)) return true;
  }
  return false;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type YamlTree = Map<string, YamlTree | string>;

/** Of YAML only what lockfiles are written in: names and values, one a line, the deeper the further in. */
function yamlTree(text: string): YamlTree {
  const top: YamlTree = new Map();
  const open: { indent: number; tree: YamlTree }[] = [{ indent: -1, tree: top }];
  for (const line of text.split(/\r?\n/)) {
    const found = /^( *)(?:'([^']*)'|"([^"]*)"|([^\s'"#-][^:]*)):(?:\s+(.*))?$/.exec(line);
    if (!found) continue;
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
