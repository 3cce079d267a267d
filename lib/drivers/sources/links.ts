import { readlink } from "node:fs/promises";

/** As many as Linux follows. */
const HOPS = 40;

/**
 * Whether following a link can lead out of a tree, by the links that lie in it. Paths have forward slashes and a letter
 * for each byte, as names need not be text; `link` is below `root`.
 */
export async function leadsOut(root: string, link: string): Promise<boolean> {
  const left = link.split("/");
  const at: string[] = [];
  let hops = 0;
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (at.pop() === undefined) return true;
      continue;
    }
    at.push(part);
    const target = await targetOf(root, at);
    if (target === undefined) continue;
    if (target.startsWith("/") || ++hops > HOPS) return true;
    at.pop();
    left.unshift(...target.split("/"));
  }
  return false;
}

async function targetOf(root: string, path: readonly string[]): Promise<string | undefined> {
  try {
    return (await readlink(pathOf(root, path.join("/")), "buffer")).toString("latin1");
  } catch {
    // No link, or nothing at all.
    return undefined;
  }
}

/** For the file system. */
export function pathOf(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

/** For people: a name of strange bytes as one would type it. */
export function shownPath(path: string): string {
  return JSON.stringify(Buffer.from(path, "latin1").toString("utf8"));
}
