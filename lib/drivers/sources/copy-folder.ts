import { constants, copyFile, lstat, mkdir, readdir, readlink, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { StepFailure, type StepContext } from "../../engine/ports/builds.ts";
import { isLeftOut } from "../../rules/sources/archive.ts";
import { createSourceCounter, type SourceLimits } from "./limits.ts";
import { replaceLinks, createLeftOutLog, FOLDER_LINK_FIX, type LeftOutLog, pathOf, shownPath } from "./links.ts";

/** The number of files copied at the same time. */
const AT_ONCE = 16;

export interface CopyOptions {
  context: StepContext;
  limits: SourceLimits;
  /** The platform's home folder, which may lie inside the copied one. It is not copied. */
  home: string;
}

interface Copying extends CopyOptions {
  from: string;
  into: string;
  count: (bytes: number) => void;
  /** Links by path, with their targets. Each is replaced by a copy after all files are there. */
  links: Map<string, string>;
  leftOut: LeftOutLog["add"];
}

/** Returns the real path of a folder on this machine. Throws `StepFailure`. */
export async function resolveFolder(path: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => error);
  if (found instanceof Error) {
    const isHidden = "code" in found && found.code === "EACCES";
    if (isHidden)
      throw new StepFailure("The server cannot read this folder", { fix: "Make it readable for the server's user" });
    throw new StepFailure("There is no such folder on the server's machine", { fix: "Check the path" });
  }
  const names = await readdir(path).catch(() => undefined);
  if (!names)
    throw new StepFailure("This is a file, or a folder that the server cannot read", {
      fix: "Give the path of the application's folder",
    });
  if (["HEAD", "objects", "refs"].every((name) => names.includes(name))) {
    const fix = `Deploy it as a git repository: file://${path}`;
    throw new StepFailure("This is a bare repository, which has no files of its own", { fix });
  }
  return await realpath(path);
}

/** Copies the files of a source, without those that tools generate. Throws `StepFailure`. */
export async function copyFolder(from: string, into: string, options: CopyOptions): Promise<void> {
  const { context, limits } = options;
  const leftOut = createLeftOutLog(context);
  const copying: Copying = {
    ...options,
    home: await realpath(options.home).catch(() => options.home),
    from,
    into,
    count: createSourceCounter("The folder", limits),
    links: new Map(),
    leftOut: leftOut.add,
  };
  await mkdir(into);
  await copyEntries("", copying);
  await replaceLinks({ ...copying, root: into, refuse: folderProblem });
  leftOut.end();
}

/** Links that lead out of the folder are left out, because they lead to other files of this machine. */
function folderProblem(path: string, to: "folder" | "outside"): StepFailure | undefined {
  if (to === "outside") return undefined;
  return new StepFailure(`The link ${shownPath(path)} leads to a folder`, { fix: FOLDER_LINK_FIX });
}

/** Paths and names have one character for each byte. */
async function copyEntries(path: string, copying: Copying): Promise<void> {
  const { from, into, context, home, count, links, leftOut } = copying;
  const entries = await readdir(pathOf(from, path), { withFileTypes: true, encoding: "latin1" });
  const files: string[] = [];
  for (const entry of entries) {
    context.signal.throwIfAborted();
    if (isLeftOut(entry.name)) continue;
    const inside = path === "" ? entry.name : `${path}/${entry.name}`;
    if (entry.isFile()) files.push(inside);
    else if (entry.isSymbolicLink()) {
      count(0);
      links.set(inside, (await readlink(pathOf(from, inside), "buffer")).toString("latin1"));
    } else if (!entry.isDirectory()) leftOut(inside, "it is not a file");
    else if (join(from, Buffer.from(inside, "latin1").toString("utf8")) !== home) {
      count(0);
      await mkdir(pathOf(into, inside));
      await copyEntries(inside, copying);
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
      throw new StepFailure(`The server cannot read ${shownPath(path)}`, {
        fix: "Make it readable for the server's user, or remove it",
      });
    },
  );
}
