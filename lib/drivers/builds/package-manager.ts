/** The package manager of an application: which one, in which version, and its program. */
import { dirname, join } from "node:path";
import type { StepContext } from "../../engine/build-ports.ts";
import type { PackagePlan } from "../../protocol/preflight.ts";
import { defaultVersion, type Manager, packageOf, workingVersion } from "../../rules/package-managers.ts";
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

/** Brings it from the registry, unless it is the server's own npm. Throws `StepFailure`. */
export async function fetchProgram(
  manager: Manager,
  { npm, tools }: { npm: string; tools: Tools },
  context: StepContext,
): Promise<InstallProgram> {
  if (manager.version === undefined) return npmProgram(npm);
  const { name, main, isNative } = packageOf(manager, process);
  const own = await tools.package(name, manager.version, context);
  const file = join(own, main);
  // What was installed with it is beside it: from its twelfth generation on, pnpm is a native program in another package.
  const folder = own.slice(0, -name.length - 1);
  return { command: isNative ? [file] : [process.execPath, file], folder };
}

export function npmProgram(npm: string): InstallProgram {
  return { command: [process.execPath, npm], folder: dirname(dirname(npm)) };
}
