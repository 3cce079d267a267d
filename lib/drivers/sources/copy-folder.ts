import { constants, copyFile, lstat, mkdir, readdir, readlink, realpath, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { StepFailure, type StepContext } from "../../engine/build-ports.ts";
import { isLeftOut } from "../../rules/archive.ts";
import { createSourceCount, type SourceLimits } from "./limits.ts";
import { leadsOut, pathOf, shownPath } from "./links.ts";

/** Files that are copied side by side. */
const AT_ONCE = 16;
/** What was left out is told so often. */
const TOLD = 20;

export interface CopyOptions {
  context: StepContext;
  limits: SourceLimits;
  /** The platform's own folder, which may lie inside of the one that is copied. */
  home: string;
}

interface Copying extends CopyOptions {
  from: string;
  into: string;
  count: (bytes: number) => void;
  /** Copied when all else is there, so that nothing is written through one. */
  links: string[];
  leftOut: (path: string, why: string) => void;
}

/** The real path of a folder on this machine. Throws `StepFailure`. */
export async function openFolder(path: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => error);
  if (found instanceof Error) {
    const isHidden = "code" in found && found.code === "EACCES";
    if (isHidden) throw new StepFailure("The server may not read this folder", { fix: "Give it the permission to" });
    throw new StepFailure("There is no such folder on the server's machine", {
      fix: "Check the path for a mistyped name",
    });
  }
  const isFolder = await readdir(path).then(
    () => true,
    () => false,
  );
  if (!isFolder)
    throw new StepFailure("This is a file, or a folder that the server may not read", {
      fix: "Give the path of the application's folder",
    });
  return await realpath(path);
}

/** Copies what belongs to a source, without what tools have made. Throws `StepFailure`. */
export async function copyFolder(from: string, into: string, options: CopyOptions): Promise<void> {
  const { context, limits } = options;
  let untold = 0;
  let told = 0;
  const copying: Copying = {
    ...options,
    home: await realpath(options.home).catch(() => options.home),
    from,
    into,
    count: createSourceCount("The folder", limits),
    links: [],
    leftOut(path, why) {
      if (++told > TOLD) untold += 1;
      else context.tell({ stream: "us", text: `${shownPath(path)} is left out: ${why}` });
    },
  };
  await mkdir(into);
  await copyInside("", copying);
  await copyLinks(copying);
  if (untold > 0) context.tell({ stream: "us", text: `${untold} more are left out` });
}

/** `path` and names: a letter for each byte. */
async function copyInside(path: string, copying: Copying): Promise<void> {
  const { from, into, context, home, count, links, leftOut } = copying;
  const entries = await readdir(pathOf(from, path), { withFileTypes: true, encoding: "latin1" });
  const files: string[] = [];
  for (const entry of entries) {
    context.signal.throwIfAborted();
    if (isLeftOut(entry.name)) continue;
    const inside = path === "" ? entry.name : `${path}/${entry.name}`;
    if (entry.isFile()) files.push(inside);
    else if (entry.isSymbolicLink()) links.push(inside);
    else if (!entry.isDirectory()) leftOut(inside, "it is no file");
    else if (join(from, Buffer.from(inside, "latin1").toString("utf8")) !== home) {
      count(0);
      await mkdir(pathOf(into, inside));
      await copyInside(inside, copying);
    }
  }
  while (files.length > 0) await Promise.all(files.splice(0, AT_ONCE).map((file) => copyOne(file, copying)));
}

async function copyOne(path: string, { from, into, count, context }: Copying): Promise<void> {
  context.signal.throwIfAborted();
  const source = pathOf(from, path);
  count((await lstat(source)).size);
  await copyFile(source, pathOf(into, path), constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL).catch(
    (error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EACCES")) throw error;
      throw new StepFailure(`The server may not read ${shownPath(path)}`, {
        fix: "Give it the permission to, or remove the file",
      });
    },
  );
}

async function copyLinks({ from, into, links, count, leftOut }: Copying): Promise<void> {
  for (const path of links) {
    count(0);
    await symlink(await readlink(pathOf(from, path), "buffer"), pathOf(into, path));
  }
  const leading: string[] = [];
  for (const path of links) if (await leadsOut(into, path)) leading.push(path);
  for (const path of leading) {
    await rm(pathOf(into, path));
    leftOut(path, "it leads out of the folder");
  }
}
