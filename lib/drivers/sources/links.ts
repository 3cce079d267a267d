import { lstatSync } from "node:fs";
import { constants, copyFile, lstat, rm } from "node:fs/promises";
import { setImmediate as turn } from "node:timers/promises";
import { type StepContext, StepFailure } from "../../engine/ports/builds.ts";
import { linkFollower, type LinkEnd } from "../../rules/sources/links.ts";

/** The most entries that are logged one by one. */
const MOST_LOGGED = 20;
/** The event loop runs other work after links were followed for this long, in ms. */
const TURN_MS = 10;

/** Paths have forward slashes and one character for each byte, because names need not be text. */
export interface LinksOptions {
  root: string;
  /** All links of the source, with their targets. Their paths hold nothing, or a file that is not a link. */
  links: ReadonlyMap<string, string>;
  count: (bytes: number) => void;
  /** Returns why a link must not lead there; undefined when the link is left out instead. */
  refuse: (path: string, to: "folder" | "outside") => StepFailure | undefined;
  leftOut: LeftOutLog["add"];
}

const REASONS: Record<Exclude<LinkEnd["is"], "file" | "folder">, string> = {
  outside: "it leads out of the folder",
  nothing: "it leads to nothing",
  circle: "it leads back to itself",
};

/**
 * Replaces each link to a file by a copy of the file, with its mode. No link may remain: for Node's permission model
 * `link/..` is the folder that holds the link, for the system it is the parent of the link's target.
 */
export async function replaceLinks({ root, links, count, refuse, leftOut }: LinksOptions): Promise<void> {
  const ends = await followAll(root, links);
  for (const { path, end } of ends) {
    const problem = end.is === "folder" || end.is === "outside" ? refuse(path, end.is) : undefined;
    if (problem) throw problem;
  }
  for (const { path, end } of ends) {
    const linkPath = pathOf(root, path);
    await rm(linkPath, { force: true });
    if (end.is === "file") {
      const file = pathOf(root, end.path);
      count((await lstat(file)).size);
      await copyFile(file, linkPath, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    } else if (end.is !== "folder") leftOut(path, REASONS[end.is]);
  }
}

async function followAll(root: string, links: ReadonlyMap<string, string>): Promise<{ path: string; end: LinkEnd }[]> {
  const endOf = linkFollower(links, (at) => kindOf(root, at));
  const ends: { path: string; end: LinkEnd }[] = [];
  let since = performance.now();
  for (const path of links.keys()) {
    const end = endOf(path);
    if (!end) {
      const fix = "Put the files themselves there, or let the links lead straight to them";
      throw new StepFailure("The links of the source take too many steps to follow", { fix });
    }
    ends.push({ path, end });
    if (performance.now() - since < TURN_MS) continue;
    // Other work of the event loop runs first.
    await turn();
    since = performance.now();
  }
  return ends;
}

function kindOf(root: string, path: string): "file" | "folder" | undefined {
  try {
    const found = lstatSync(pathOf(root, path));
    return found.isDirectory() ? "folder" : found.isFile() ? "file" : undefined;
  } catch {
    // Nothing is there, or the name is too long.
    return undefined;
  }
}

/** The fix for a link to a folder. */
export const FOLDER_LINK_FIX = "Put the folder itself there, or let the code name the folder that the link leads to";

export interface LeftOutLog {
  add(path: string, why: string): void;
  /** Logs how many more there were. */
  end(): void;
}

/** Creates a log of what is left out of a source, with the first entries one by one. */
export function createLeftOutLog(context: StepContext): LeftOutLog {
  let count = 0;
  const log = (text: string): void => context.writeLine({ stream: "us", text });
  return {
    add(path, why) {
      if (++count <= MOST_LOGGED) log(`${shownPath(path)} is left out: ${why}`);
    },
    end() {
      if (count > MOST_LOGGED) log(`${count - MOST_LOGGED} more are left out`);
    },
  };
}

/** Returns the path for the file system. */
export function pathOf(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

/** Returns the path for display: decoded from UTF-8 and quoted. */
export function shownPath(path: string): string {
  return JSON.stringify(Buffer.from(path, "latin1").toString("utf8"));
}
