/** Which packages of a workspace an application needs, and which of them have to be built before they can be imported. */
import { isObject, type JsonObject } from "../protocol/json.ts";

/** A package of a workspace. */
export interface Member {
  /** From the workspace's folder; empty for the workspace itself. */
  path: string;
  manifest: JsonObject;
}

/** Kinds of dependencies that are there when the application runs. */
const SERVED: readonly string[] = ["dependencies", "optionalDependencies", "peerDependencies"];

export function nameOf({ manifest }: Member): string | undefined {
  return typeof manifest.name === "string" ? manifest.name : undefined;
}

/** Returns these members and those that they ask for, also through others. Each comes after those that it asks for. */
export function neededMembers(members: readonly Member[], wanted: readonly Member[]): Member[] {
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
    for (const name of asked(member)) {
      const found = named.get(name);
      if (found) open.push({ member: found, isDone: false });
    }
  }
  return needed;
}

function asked({ manifest }: Member): string[] {
  return SERVED.flatMap((kind) => Object.keys(isObject(manifest[kind]) ? manifest[kind] : {}));
}

/** Conditions that an import of the worker's fulfils, in Node's words. */
const CONDITIONS = new Set(["node", "node-addons", "import", "module-sync", "default"]);
const MOST_NESTED = 20;

/**
 * Returns the file that an import of the package by its name means, from the package's folder. Undefined when its
 * package.json names none.
 */
export function entryFile({ exports, main }: JsonObject): string | undefined {
  const written = exports === undefined ? main : targetOf(exports);
  const path = typeof written === "string" ? written.replace(/^\.\//, "") : "";
  return path === "" || path.startsWith("/") || path.split("/").includes("..") ? undefined : path;
}

function targetOf(exported: unknown, depth = 0): string | undefined {
  if (typeof exported === "string") return exported;
  if (depth > MOST_NESTED) return undefined;
  if (Array.isArray(exported)) return targetOf(exported[0], depth + 1);
  if (!isObject(exported)) return undefined;
  if (Object.keys(exported).some((key) => key.startsWith("."))) return targetOf(exported["."], depth + 1);
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
