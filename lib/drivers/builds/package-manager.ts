/** Chooses the package manager of an application and its version, and fetches its program. */
import { dirname, join } from "node:path";
import type { StepContext } from "../../engine/ports/builds.ts";
import type { PackagePlan } from "../../protocol/preflight.ts";
import { defaultVersion, type Manager, packageOf, workingVersion } from "../../rules/packages/package-managers.ts";
import type { InstallProgram } from "./install-step.ts";
import type { SourceFiles } from "./source-files.ts";
import type { Tools } from "./tools.ts";

/** `root` is that of the source. */
export async function chooseManager(
  { manager: name, version, lockfile, folder = "" }: PackagePlan,
  root: string,
  files: SourceFiles,
): Promise<Manager> {
  if (version !== undefined) return { name, version: workingVersion(name, version) };
  const lock = lockfile === undefined ? undefined : await files.longText(join(root, lockfile));
  const hasYarnrc = (await files.kind(join(root, folder, ".yarnrc.yml"))) === "file";
  return { name, version: defaultVersion(name, lock, hasYarnrc) };
}

/** Installs it from the registry, unless it is the server's own npm. Throws `StepFailure`. */
export async function fetchProgram(
  manager: Manager,
  { npm, tools }: { npm: string; tools: Tools },
  context: StepContext,
): Promise<InstallProgram> {
  if (manager.version === undefined) return npmProgram(npm);
  const { name, main, isNative } = packageOf(manager, process);
  const own = await tools.package(name, manager.version, context);
  const file = join(own, main);
  // Its dependencies are installed next to it: from version 12 on, the program of pnpm is in one of them.
  const folder = own.slice(0, -name.length - 1);
  return { command: isNative ? [file] : [process.execPath, file], folder };
}

export function npmProgram(npm: string): InstallProgram {
  return { command: [process.execPath, npm], folder: dirname(dirname(npm)) };
}
