import { createWriteStream } from "node:fs";
import { copyFile, lstat, mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StepFailure, type StepContext } from "../../engine/ports/builds.ts";
import { entryPath, isLeftOut } from "../../rules/sources/archive.ts";
import { LONGEST_TARGET } from "../../rules/sources/links.ts";
import { createSourceCounter, type SourceLimits } from "./limits.ts";
import { replaceLinks, createLeftOutLog, FOLDER_LINK_FIX, shownPath } from "./links.ts";

/**
 * Writes the entries of an archive, one after the other. It never creates a link: a link to a file becomes a copy of
 * the file when all entries are there. The methods throw `StepFailure` for an entry that must not be unpacked.
 */
export interface Unpacker {
  addFolder(name: string): Promise<void>;
  /** Reads the body to its end unless it throws. `mode` is that of a Unix file system, or 0. */
  addFile(name: string, bytes: number, mode: number, body: Readable): Promise<void>;
  addLink(name: string, target: string): void;
  /** Adds another name of an earlier file. */
  addCopy(name: string, of: string): Promise<void>;
  /** Moves all entries to `into`, without a top folder that holds everything, and logs what is left out. */
  finish(into: string, context: StepContext): Promise<void>;
}

const REPACK_FIX = "Pack the application's folder again, with relative paths and ordinary files only";

export function entryFailure(name: string, why: string): StepFailure {
  return new StepFailure(`The archive holds ${JSON.stringify(name)}, ${why}`, { fix: REPACK_FIX });
}

/** `part` is a folder that does not exist yet, on the disk of the final folder. */
export async function createUnpacker(part: string, limits: SourceLimits, signal: AbortSignal): Promise<Unpacker> {
  const count = createSourceCounter("The archive", limits);
  const folders = new Set<string>();
  const links = new Map<string, string>();
  await mkdir(part);

  /** Counts an entry and creates its folder; returns undefined for an entry that is left out. */
  const prepare = async (name: string, bytes: number): Promise<string | undefined> => {
    count(bytes);
    const path = pathOf(name);
    if (path === undefined) return undefined;
    await makeFolder(dirname(path), name);
    return join(part, path);
  };
  const makeFolder = async (path: string, name: string): Promise<void> => {
    if (folders.has(path)) return;
    await refuseClash(name, mkdir(join(part, path), { recursive: true }));
    folders.add(path);
  };

  return {
    async addFolder(name) {
      count(0);
      const path = pathOf(name);
      if (path !== undefined) await makeFolder(path, name);
    },
    async addFile(name, bytes, mode, body) {
      // A damaged archive may emit another error after the pipeline has failed.
      body.on("error", () => {});
      const destination = await prepare(name, bytes);
      if (destination === undefined) return void body.resume();
      const executable = (mode & 0o111) !== 0;
      const target = createWriteStream(destination, { mode: executable ? 0o755 : 0o644 });
      await refuseClash(name, pipeline(body, target, { signal }));
    },
    addLink(name, target) {
      count(0);
      const path = pathOf(name);
      // A target that is too long leads nowhere, so it is not stored.
      if (path !== undefined) links.set(path, target.length > LONGEST_TARGET ? "" : target);
    },
    async addCopy(name, of) {
      const source = pathOf(of);
      const found = source === undefined ? undefined : await lstat(join(part, source)).catch(() => undefined);
      const destination = await prepare(name, found?.size ?? 0);
      if (source === undefined || destination === undefined) return;
      if (!found?.isFile()) throw entryFailure(name, "a hard link to a file that is not in it");
      if (destination !== join(part, source)) await refuseClash(name, copyFile(join(part, source), destination));
    },
    async finish(into, context) {
      const top = await topFolder(part, links);
      const root = top === undefined ? part : join(part, top);
      const prefix = top === undefined ? "" : `${top}/`;
      const inside = [...links].map(([path, target]): [string, string] => [path.slice(prefix.length), target]);
      const leftOut = createLeftOutLog(context);
      const encoded = await encodeLinks(root, inside);
      await replaceLinks({ root, links: encoded, count, refuse: linkProblem, leftOut: leftOut.add });
      leftOut.end();
      await rename(root, into);
    },
  };
}

/** Returns the path relative to the archive's root; undefined for an entry that is left out. */
function pathOf(name: string): string | undefined {
  const parts = entryPath(name);
  if (parts === undefined) throw entryFailure(name, "which leads out of it");
  return parts.length === 0 || parts.some(isLeftOut) ? undefined : parts.join("/");
}

const CLASH_CODES = new Set(["EEXIST", "ENOTDIR", "EISDIR"]);
const CLASH_REASON = "which is a file at one place and a folder at another";

async function refuseClash(name: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (CLASH_CODES.has(code)) throw entryFailure(name, CLASH_REASON);
    if (code === "ENAMETOOLONG") throw entryFailure(`${name.slice(0, 80)}…`, "whose name is too long");
    throw error;
  }
}

/** Returns the single top folder if it holds everything, as in archives of repositories. */
async function topFolder(part: string, links: ReadonlyMap<string, string>): Promise<string | undefined> {
  const [first, ...others] = await readdir(part, { withFileTypes: true });
  if (first === undefined) throw new StepFailure("The archive is empty", { fix: "Pack the application's folder" });
  const holdsAll = others.length === 0 && first.isDirectory();
  return holdsAll && [...links.keys()].every((path) => path.startsWith(`${first.name}/`)) ? first.name : undefined;
}

/** Encodes the links for the file system, and creates their folders. Throws for a link at a file's path. */
async function encodeLinks(
  root: string,
  links: readonly [path: string, target: string][],
): Promise<ReadonlyMap<string, string>> {
  const paths = new Set(links.map(([path]) => path));
  const encoded = new Map<string, string>();
  for (const [path, target] of links) {
    const above = path.split("/").map((_, n, parts) => parts.slice(0, n).join("/"));
    if (above.some((one) => paths.has(one))) throw entryFailure(path, "which lies below a link");
    await refuseClash(path, mkdir(dirname(join(root, path)), { recursive: true }));
    if (await lstat(join(root, path)).catch(() => undefined)) throw entryFailure(path, CLASH_REASON);
    encoded.set(bytesOf(path), bytesOf(target));
  }
  return encoded;
}

/** Returns one character for each byte. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function linkProblem(path: string, to: "folder" | "outside"): StepFailure {
  const name = Buffer.from(path, "latin1").toString("utf8");
  if (to === "outside") return entryFailure(name, "a link that leads out of it");
  return new StepFailure(`The archive holds ${shownPath(path)}, a link to a folder`, { fix: FOLDER_LINK_FIX });
}
