/** Which packages of a workspace an application needs, and which of them have to be built before they can be imported. */
import { isObject, type JsonObject } from "../../protocol/json.ts";

/** A package of a workspace. */
export interface Member {
  /** From the workspace's folder; empty for the workspace itself. */
  path: string;
  manifest: JsonObject;
}

/** Kinds of dependencies that are there when the application runs. */
const SERVED: readonly string[] = ["dependencies", "optionalDependencies", "peerDependencies"];
/** All kinds of dependencies. */
const LISTED: readonly string[] = [...SERVED, "devDependencies"];

export function nameOf({ manifest }: Member): string | undefined {
  return typeof manifest.name === "string" ? manifest.name : undefined;
}

const PLAIN_NAME = /^(?:@\w[\w.~-]*\/)?\w[\w.~-]*$/;

/** Returns the name where it can neither be taken for an option nor lead out of a folder. */
export function plainNameOf(member: Member): string | undefined {
  const name = nameOf(member);
  return name !== undefined && PLAIN_NAME.test(name) ? name : undefined;
}

/**
 * Returns these members and those that they ask for, also through others. Each comes after those that it asks for.
 * `isBuilt` tells whether a member is built, which takes what it lists for development, too.
 */
export function neededMembers(
  members: readonly Member[],
  wanted: readonly Member[],
  isBuilt: (member: Member) => boolean = () => false,
): Member[] {
  const named = new Map(members.map((member) => [nameOf(member), member]));
  const seen = new Set<Member>();
  const needed: Member[] = [];
  const open = wanted.map((member) => ({ member, isDone: false })).toReversed();
  for (let next = open.pop(); next; next = open.pop()) {
    const { member, isDone } = next;
    if (isDone) needed.push(member);
    if (isDone || seen.has(member)) continue;
    seen.add(member);
    open.push({ member, isDone: true });
    for (const name of asked(member, isBuilt(member) ? LISTED : SERVED)) {
      const found = named.get(name);
      if (found) open.push({ member: found, isDone: false });
    }
  }
  return needed;
}

function asked({ manifest }: Member, kinds: readonly string[]): string[] {
  return kinds.flatMap((kind) => Object.keys(isObject(manifest[kind]) ? manifest[kind] : {}));
}

/** Tells whether the member lists the package among what is there when the application runs. */
export function servesPackage(member: Member, name: string): boolean {
  return asked(member, SERVED).includes(name);
}

/** Returns members that these list for development alone, such as settings of compilers. They need no packages of their own. */
export function mentionedMembers(members: readonly Member[], kept: readonly Member[]): Member[] {
  const names = new Set(kept.flatMap((member) => asked(member, LISTED)));
  return members.filter((member) => !kept.includes(member) && names.has(nameOf(member) ?? ""));
}

/**
 * Returns the workspace as one of these members alone, for a package manager that installs all of a workspace. The others
 * that they list, and the workspace's own package, stay without dependencies. `kept` are paths.
 */
export function narrowedTo(members: readonly Member[], kept: ReadonlySet<string>): Member[] {
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

/** Conditions that an import of the worker's fulfils, in Node's words. */
const CONDITIONS = new Set(["node", "node-addons", "import", "module-sync", "default"]);
const MOST_NESTED = 20;

/**
 * Returns the file that an import of the package means, from the package's folder: by its name, or where only imports of
 * its parts are let in, by the first of these. Of files that a pattern means, it is their folder, with a slash at the end.
 * Undefined when its package.json names none.
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

/** The script of a package.json that makes what others import. */
export const BUILD = "build";

export function hasBuildScript({ scripts }: JsonObject): boolean {
  return isObject(scripts) && typeof scripts[BUILD] === "string";
}
