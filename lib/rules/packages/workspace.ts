/** Selects the packages of a workspace that an application needs, and those that have to be built before an import. */
import { isObject, type JsonObject } from "../../protocol/json.ts";

/** A package of a workspace. */
export interface WorkspaceMember {
  /** Path from the workspace's folder; empty for the workspace's root package. */
  path: string;
  manifest: JsonObject;
}

/** Kinds of dependencies that are installed when the application runs. */
const SERVED: readonly string[] = ["dependencies", "optionalDependencies", "peerDependencies"];
/** All kinds of dependencies. */
const LISTED: readonly string[] = [...SERVED, "devDependencies"];

export function nameOf({ manifest }: WorkspaceMember): string | undefined {
  return typeof manifest.name === "string" ? manifest.name : undefined;
}

const PLAIN_NAME = /^(?:@\w[\w.~-]*\/)?\w[\w.~-]*$/;

/** Returns the name if it can neither be read as an option nor lead out of a folder. */
export function plainNameOf(member: WorkspaceMember): string | undefined {
  const name = nameOf(member);
  return name !== undefined && PLAIN_NAME.test(name) ? name : undefined;
}

/**
 * Returns the wanted members and their dependencies among the members, direct and indirect. Each comes after its
 * dependencies. `isBuilt` returns whether a member is built, which requires its development dependencies, too.
 */
export function neededMembers(
  members: readonly WorkspaceMember[],
  wanted: readonly WorkspaceMember[],
  isBuilt: (member: WorkspaceMember) => boolean = () => false,
): WorkspaceMember[] {
  const named = new Map(members.map((member) => [nameOf(member), member]));
  const seen = new Set<WorkspaceMember>();
  const needed: WorkspaceMember[] = [];
  const open = wanted.map((member) => ({ member, isDone: false })).toReversed();
  for (let next = open.pop(); next; next = open.pop()) {
    const { member, isDone } = next;
    if (isDone) needed.push(member);
    if (isDone || seen.has(member)) continue;
    seen.add(member);
    open.push({ member, isDone: true });
    for (const name of dependenciesOf(member, isBuilt(member) ? LISTED : SERVED)) {
      const found = named.get(name);
      if (found) open.push({ member: found, isDone: false });
    }
  }
  return needed;
}

function dependenciesOf({ manifest }: WorkspaceMember, kinds: readonly string[]): string[] {
  return kinds.flatMap((kind) => Object.keys(isObject(manifest[kind]) ? manifest[kind] : {}));
}

/** Returns whether the member lists the package among its runtime dependencies. */
export function servesPackage(member: WorkspaceMember, name: string): boolean {
  return dependenciesOf(member, SERVED).includes(name);
}

/** Returns members that the kept ones list for development alone, such as compiler settings. They need no packages. */
export function mentionedMembers(
  members: readonly WorkspaceMember[],
  kept: readonly WorkspaceMember[],
): WorkspaceMember[] {
  const names = new Set(kept.flatMap((member) => dependenciesOf(member, LISTED)));
  return members.filter((member) => !kept.includes(member) && names.has(nameOf(member) ?? ""));
}

/**
 * Returns the workspace reduced to the members in `kept` (paths), for a package manager that installs whole workspaces.
 * Other members that they list, and the workspace's root package, stay without dependencies.
 */
export function narrowedTo(members: readonly WorkspaceMember[], kept: ReadonlySet<string>): WorkspaceMember[] {
  const whole = members.filter(({ path }) => kept.has(path));
  const bare = new Set(mentionedMembers(members, whole));
  const few = members.filter((member) => member.path === "" || kept.has(member.path) || bare.has(member));
  const workspaces = few.filter(({ path }) => path !== "").map(({ path }) => path);
  return few.map(({ path, manifest }) => {
    const isListing = manifest.workspaces !== undefined;
    const left = Object.entries(manifest).filter(([key]) => kept.has(path) || !LISTED.includes(key));
    return { path, manifest: { ...Object.fromEntries(left), ...(path === "" && isListing && { workspaces }) } };
  });
}

/** Conditions of `exports` that an import in the worker fulfils, as Node.js names them. */
const CONDITIONS = new Set(["node", "node-addons", "import", "module-sync", "default"]);
const MOST_NESTED = 20;

/**
 * Returns the file that an import of the package loads, relative to the package's folder. If the package exports only
 * subpaths, it is the first of them. For a pattern it is the folder, with a slash at the end. Undefined when its
 * package.json names no file.
 */
export function entryFile({ exports, main }: JsonObject): string | undefined {
  const written = exports === undefined ? main : targetOf(exports);
  const file = typeof written === "string" ? written.replace(/^\.\//, "") : "";
  const star = file.indexOf("*");
  const path = star < 0 ? file : file.slice(0, file.lastIndexOf("/", star) + 1);
  return path === "" || path.startsWith("/") || path.split("/").includes("..") ? undefined : path;
}

function targetOf(exported: unknown, depth = 0): string | undefined {
  if (typeof exported === "string") return exported;
  if (depth > MOST_NESTED) return undefined;
  if (Array.isArray(exported)) return targetOf(exported[0], depth + 1);
  if (!isObject(exported)) return undefined;
  const parts = Object.keys(exported).filter((key) => key.startsWith("."));
  const [first] = parts.includes(".") ? ["."] : parts.filter((key) => key !== "./package.json");
  if (parts.length > 0) return first === undefined ? undefined : targetOf(exported[first], depth + 1);
  for (const [condition, target] of Object.entries(exported)) {
    const found = CONDITIONS.has(condition) ? targetOf(target, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The script of a package.json that builds the files which others import. */
export const BUILD = "build";

export function hasBuildScript({ scripts }: JsonObject): boolean {
  return isObject(scripts) && typeof scripts[BUILD] === "string";
}
