import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, sep } from "node:path";
import { StepFailure } from "../../engine/ports/builds.ts";
import { nearName } from "../../rules/text/near-name.ts";

/** The largest manifest or settings file that is read: the host parses it in its own process. */
const LARGEST = 1024 * 1024;
const LARGEST_LOCKFILE = 32 * 1024 * 1024;
/** Bounds of the search for a missing file: folders, and their depth. */
const MOST_FOLDERS = 500;
const DEEPEST = 4;
/** Folders that are never part of a source. */
export const NO_SOURCES: ReadonlySet<string> = new Set(["node_modules", ".git", ".graphlib"]);

/** Reads files of a fetched source. Paths that lead out of its root, also by a link, count as missing. */
export class SourceFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Reads a manifest or settings; undefined for what is not a readable file. Throws `StepFailure` beyond 1 MB. */
  async text(path: string): Promise<string | undefined> {
    const text = await this.#upTo(LARGEST, path);
    if (text !== "larger") return text?.text;
    const file = relative(this.#root, path).replaceAll(sep, "/");
    const fix = "Remove what a deployment does not need";
    throw new StepFailure(`${file} is larger than 1 MB`, { file, fix });
  }

  /** Reads a lockfile; undefined for what is not a readable file, or is larger than 32 MB. */
  async longText(path: string): Promise<string | undefined> {
    const text = await this.#upTo(LARGEST_LOCKFILE, path);
    return text === "larger" ? undefined : text?.text;
  }

  async #upTo(bytes: number, path: string): Promise<{ text: string } | "larger" | undefined> {
    if ((await this.kind(path)) !== "file") return undefined;
    try {
      return (await stat(path)).size > bytes ? "larger" : { text: await readFile(path, "utf8") };
    } catch {
      return undefined;
    }
  }

  async kind(path: string): Promise<"file" | "folder" | "nothing" | "outside"> {
    try {
      const [root, real] = await Promise.all([realpath(this.#root), realpath(path)]);
      if (!isInside(root, real)) return "outside";
      const found = await stat(real);
      return found.isFile() ? "file" : found.isDirectory() ? "folder" : "nothing";
    } catch {
      return isInside(this.#root, path) ? "nothing" : "outside";
    }
  }

  /** Returns the absolute path of a file with a similar name in the same folder. */
  async findSimilar(path: string): Promise<string | undefined> {
    const folder = dirname(path);
    const names = (await readEntries(folder)).filter((one) => one.isFile()).map(({ name }) => name);
    const stem = basename(path, extname(path));
    const name = names.find((one) => basename(one, extname(one)) === stem) ?? nearName(basename(path), names);
    return name === undefined ? undefined : join(folder, name);
  }

  /** Returns folders that hold a file with one of these names, as paths from the root. */
  async findFoldersWith(wanted: readonly string[], most: number): Promise<string[]> {
    const found: string[] = [];
    const queue = [{ folder: this.#root, depth: 0 }];
    for (let visited = 0; visited < MOST_FOLDERS && found.length < most; visited++) {
      const next = queue.shift();
      if (!next) break;
      const entries = await readEntries(next.folder);
      if (entries.some((one) => one.isFile() && wanted.includes(one.name))) {
        found.push(relative(this.#root, next.folder).replaceAll(sep, "/"));
      }
      if (next.depth >= DEEPEST) continue;
      const inner = entries.filter((one) => one.isDirectory() && !NO_SOURCES.has(one.name));
      queue.push(...inner.map(({ name }) => ({ folder: join(next.folder, name), depth: next.depth + 1 })));
    }
    return found;
  }
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root + sep);
}

/** Returns the entries of a folder in the order of their names; none for one that can't be read. */
export async function readEntries(folder: string) {
  try {
    return (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
