import { execFile } from "node:child_process";
import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createGzip } from "node:zlib";
import { packTar } from "modern-tar/fs";
import { isLeftOut } from "../rules/sources/archive.ts";
import { CommandFailure } from "./failure.ts";

const ROOT = "source";

/** Packs a folder as tar.gz: the files that git would commit, or all, without packages and generated files. */
export async function packFolder(folder: string): Promise<{ archive: ReadableStream<Uint8Array>; files: number }> {
  const files = (await filesOfGit(folder)) ?? (await filesIn(folder, folder));
  if (files.length === 0) throw new CommandFailure(`There is nothing to deploy in ${folder}`);
  // Unpacking drops a single top folder. Without this one, it might drop a folder of the source.
  const sources = files
    .toSorted()
    .map((file) => ({ type: "file" as const, source: join(folder, file), target: `${ROOT}/${file}` }));
  const zipped = createGzip();
  const tar = packTar(sources);
  tar.once("error", (cause) => zipped.destroy(cause));
  tar.pipe(zipped);
  return { archive: Readable.toWeb(zipped) as ReadableStream<Uint8Array>, files: files.length };
}

/** Lists all files that git does not ignore. Undefined if the folder is no work tree, or is ignored itself. */
async function filesOfGit(folder: string): Promise<string[] | undefined> {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const args = ["-C", folder, "-c", "core.fsmonitor=false", ...list];
  const listed = await promisify(execFile)("git", args, { maxBuffer: 64 * 1024 * 1024 }).catch(() => undefined);
  const names = [...new Set(listed?.stdout.split("\0"))].filter((name) => name !== "");
  const files: string[] = [];
  for (const name of names) {
    if (name.split("/").some(isLeftOut)) continue;
    const found = await lstat(join(folder, name)).catch(() => undefined);
    // A repository inside is listed as one folder, and a deleted file is still listed.
    if (found?.isDirectory()) files.push(...(await filesIn(folder, join(folder, name))));
    else if (found) files.push(name);
  }
  return files.length > 0 ? files : undefined;
}

async function filesIn(root: string, folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (isLeftOut(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await filesIn(root, path)));
    else if (entry.isFile() || entry.isSymbolicLink()) files.push(relative(root, path));
  }
  return files;
}
