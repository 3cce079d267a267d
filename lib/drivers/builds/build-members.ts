/** Builds packages of a source that other packages of it import, by their build scripts. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, cp, lstat, mkdir, readdir, realpath, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { StepFailure, type StepContext } from "../../engine/ports/builds.ts";
import { BUILD, type WorkspaceMember, nameOf } from "../../rules/packages/workspace.ts";
import { grouped } from "../../rules/text/counted.ts";
import { type InstallStep, runInstallStep } from "./install-step.ts";
import { linkOwnPackages, linkPackages } from "./links.ts";
import { missingEntry } from "./members.ts";
import { NO_SOURCES, SourceFiles } from "./source-files.ts";

export interface MembersBuild extends Omit<InstallStep, "command" | "base" | "cache" | "isScripts"> {
  /** The source's root. */
  root: string;
  /** The folder of the workspace, relative to the root. */
  base: string;
  /** Members in the order in which they are built. */
  members: readonly WorkspaceMember[];
}

const MOST_FILES = 20_000;

/**
 * Runs build scripts in a copy, because installed files are hard links that other deployments share. Files that did not
 * exist before are then copied to the source. Throws `StepFailure`.
 */
export async function buildMembers(build: MembersBuild, context: StepContext): Promise<void> {
  const { root, base, folder: packages, members } = build;
  const folder = join(dirname(packages), `.new-${randomUUID()}`);
  const [tree, cache] = [join(folder, "tree"), join(folder, "cache")];
  try {
    await mkdir(cache, { recursive: true });
    await cp(root, tree, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => path === root || !NO_SOURCES.has(basename(path)),
    });
    await linkPackages(packages, tree, (from, to) => copyFile(from, to, constants.COPYFILE_FICLONE));
    const left = { files: MOST_FILES };
    for (const member of members) {
      const own = join(base, member.path);
      await runBuild({ ...build, folder, cache }, member, own, context);
      await copyNewFiles(join(tree, own), join(await realpath(root), own), left);
      await requireBuilt(root, own, member);
      await linkOwnPackages(packages, tree);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runBuild(
  build: MembersBuild & Pick<InstallStep, "cache">,
  member: WorkspaceMember,
  base: string,
  context: StepContext,
): Promise<void> {
  const shown = `npm run ${BUILD}`;
  context.writeLine({ stream: "us", text: `${shown} (${base})` });
  const command = { args: ["run", BUILD, "--no-update-notifier", "--logs-max=0"], env: {}, shown };
  const code = await runInstallStep({ ...build, command, base, isScripts: true }, context);
  if (code === 0) return;
  throw new StepFailure(`The script "${BUILD}" of ${nameOf(member) ?? base} failed (exit code ${code})`, {
    file: join(base, "package.json"),
    fix: `See its output in the log; in a fresh clone, "${shown}" in ${base} should fail in the same way`,
  });
}

/** Copies new files; links are left out. */
async function copyNewFiles(from: string, to: string, left: { files: number }): Promise<void> {
  // No process of the script is left, but it may have left links.
  if (!(await lstat(from)).isDirectory()) return;
  await mkdir(to, { recursive: true });
  if ((await realpath(to)) !== to) return;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (NO_SOURCES.has(entry.name)) continue;
    const [path, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyNewFiles(path, target, left);
    if (!entry.isFile() || (await lstat(target).catch(() => undefined))) continue;
    if (--left.files < 0) {
      const fix = "Let them make only files that are imported";
      throw new StepFailure(`The scripts "${BUILD}" made more than ${grouped(MOST_FILES)} files`, { fix });
    }
    await copyFile(path, target);
  }
}

async function requireBuilt(root: string, own: string, member: WorkspaceMember): Promise<void> {
  const entry = await missingEntry(join(root, own), member, new SourceFiles(root));
  if (entry === undefined) return;
  throw new StepFailure(`The script "${BUILD}" of ${nameOf(member) ?? own} did not make ${entry}`, {
    file: join(own, "package.json"),
    fix: "Make the script write the file that main or exports names, or correct the name",
  });
}
