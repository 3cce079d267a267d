/** Runs one command of a package manager, in a fence and with a home folder of its own. */
import { mkdir, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import type { StepContext } from "../../engine/ports/builds.ts";
import type { ManagerCommand } from "../../rules/packages/package-managers.ts";
import { npmrcOf, type RegistrySettings, yarnrcOf } from "../../rules/packages/registry-settings.ts";
import { endUser } from "../processes.ts";
import { addConfinedUser } from "../reaper.ts";
import { runCommand } from "./command.ts";
import { type BuildConfinement, certificatesOf, chown, reclaim, type User, wrapFor } from "./confinement.ts";
import type { InstallNetwork } from "./install-network.ts";
import { writePrivateFile } from "./private-file.ts";
import { requireFolders } from "./real-folders.ts";
import { SYSTEM_PATH } from "./tools.ts";

export interface InstallProgram {
  /** The words that start it: its own binary, or Node.js with a file. */
  command: readonly [string, ...string[]];
  /** The folder of its files. */
  folder: string;
}

export interface InstallStep {
  program: InstallProgram;
  command: ManagerCommand;
  /** The `node` for which packages are installed. */
  node: string;
  /** The folder of the installed packages, which lie below `tree`. */
  folder: string;
  /** The working folder, relative to the tree. */
  base: string;
  /** The cache of downloads. Scripts of packages have one of their own. */
  cache: string;
  /** Runs scripts of packages: without credentials of registries, and as a separate user. */
  isScripts: boolean;
  registry: RegistrySettings;
  network: InstallNetwork;
  confinement: BuildConfinement;
}

/** Resolves to the exit code. The output is logged without the network's password and the server's paths. */
export async function runInstallStep(step: InstallStep, unredacted: StepContext): Promise<number> {
  const { folder, cache, isScripts, registry, network, confinement } = step;
  const redact = (text: string): string =>
    text
      .replaceAll(network.password, "***")
      .replaceAll(`${join(folder, "tree")}/`, "")
      .replaceAll(folder, ".");
  const context: StepContext = {
    ...unredacted,
    writeLine: (line) => unredacted.writeLine({ ...line, text: redact(line.text) }),
  };
  const home = join(folder, "home");
  await mkdir(home);
  await writePrivateFile(join(home, ".npmrc"), npmrcOf(registry, !isScripts));
  await writePrivateFile(join(home, ".yarnrc.yml"), yarnrcOf(registry, !isScripts));
  try {
    // The parent folder is not writable: a program could replace one of these by a link, which the next step would
    // follow.
    const writes = [join(folder, "tree"), home, cache];
    await requireFolders(writes);
    if (!isScripts) return await run(step, context, writes);
    return await withScriptsUser(confinement, writes, (user) => run(step, context, writes, user));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Where the server is root, scripts run as a separate user, who owns the folders meanwhile. */
async function withScriptsUser<T>(
  { users }: BuildConfinement,
  folders: readonly string[],
  work: (user?: User) => Promise<T>,
): Promise<T> {
  if (!users) return await work();
  return await users.use(async (user) => {
    addConfinedUser(user.uid);
    try {
      await chown(user, folders);
      return await work(user);
    } finally {
      await endUser(user.uid);
      await reclaim(folders);
    }
  });
}

async function run(step: InstallStep, context: StepContext, writes: readonly string[], user?: User): Promise<number> {
  const { program, command, node, folder, base, network, confinement } = step;
  const [file, ...rest] = program.command;
  return await runCommand({
    ...context,
    file,
    args: [...rest, ...command.args],
    cwd: join(folder, "tree", base),
    user,
    wrap: wrapFor(confinement.fence, {
      reads: [process.execPath, node, program.folder, ...certificatesOf(network.env)],
      writes,
      relay: network.relay,
    }),
    env: {
      PATH: [dirname(node), dirname(process.execPath), SYSTEM_PATH].join(delimiter),
      HOME: join(folder, "home"),
      CI: "true",
      ...network.env,
      ...command.env,
    },
    limits: { folder },
  });
}
