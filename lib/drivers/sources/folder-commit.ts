import { copyFile, mkdir, stat, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { StepContext } from "../../engine/ports/builds.ts";
import type { Commit } from "../../protocol/sources.ts";
import type { CommandEnvironment } from "../builds/guard.ts";
import { createGit, expectGit, type Git, GitFailure } from "./git-command.ts";
import { describeCommit } from "./git-refs.ts";

/** The commit is useful but not required, so a work tree of a million files is given up after this time. */
const TIMEOUT_MS = 10_000;

export interface FolderCommitOptions {
  context: StepContext;
  env: CommandEnvironment;
  /** A private folder. */
  work: string;
}

/**
 * Returns the commit that a folder has checked out, and whether its files differ from it; undefined outside of a work
 * tree. The repository's own settings are not used, because they can name programs for git to run. Git reads the work
 * tree through a temporary repository that borrows the objects and has a copy of the index.
 */
export async function folderCommit(folder: string, options: FolderCommitOptions): Promise<Commit | undefined> {
  const { context, env, work } = options;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const git = createGit({ env, home: work, protocols: [], context: { ...context, signal } });
  try {
    return await describeWorkTree(git, folder, work);
  } catch (error) {
    context.signal.throwIfAborted();
    // Git is not installed, took too long, or cannot borrow from this layout.
    if (!(error instanceof GitFailure)) {
      context.writeLine({ stream: "us", text: "Git can't tell which commit this folder is at" });
    }
    return undefined;
  }
}

async function describeWorkTree(git: Git, folder: string, work: string): Promise<Commit | undefined> {
  const queries = ["--show-toplevel", "--show-prefix", "--git-path", "objects", "--git-path", "index"];
  const answers = (await expectGit(git, ["-C", folder, "rev-parse", ...queries])).split("\n");
  const sha = (await expectGit(git, ["-C", folder, "rev-parse", "--verify", "HEAD^{commit}"])).trim();
  const [top = "", prefix = "", objects = "", index = ""] = answers;
  // One of the paths has a line break in its name.
  if (answers.length !== queries.length - 1) return undefined;
  const borrowing = join(work, "borrowing.git");
  await expectGit(git, ["init", "--quiet", "--bare", "--template=", "--", borrowing]);
  await mkdir(join(borrowing, "objects", "info"), { recursive: true });
  await writeFile(join(borrowing, "objects", "info", "alternates"), `${resolve(folder, objects)}\n`);
  await writeFile(join(borrowing, "HEAD"), `${sha}\n`);
  const commit = await describeCommit(git, borrowing, sha);
  // The commit does not have this folder: it lies in a work tree by chance.
  if (!commit || (prefix !== "" && !(await hasObject(git, borrowing, `${sha}:${prefix}`)))) return undefined;
  const copy = join(work, "borrowed-index");
  const original = resolve(folder, index);
  const { atime, mtime } = await stat(original);
  await copyFile(original, copy);
  // Git compares the times of files with that of the index to find changes made in the same second.
  await utimes(copy, atime, mtime);
  const status = ["status", "--porcelain", "-z", "--ignore-submodules=all", "--", prefix === "" ? "." : prefix];
  const location = ["-C", top, "--git-dir", borrowing, "--work-tree", top, "--literal-pathspecs"];
  const changes = await expectGit(git, [...location, ...status], { env: { GIT_INDEX_FILE: copy } });
  return changes === "" ? commit : { ...commit, dirty: true };
}

async function hasObject(git: Git, repository: string, object: string): Promise<boolean> {
  const { code } = await git(["--git-dir", repository, "cat-file", "-e", object]);
  return code === 0;
}
