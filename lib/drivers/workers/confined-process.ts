/** Confines the process of a build by Node's permission model, bubblewrap if it works, and a user of its own. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TypesOrder } from "../../protocol/compile.ts";
import { parseVersion } from "../../protocol/versions.ts";
import { permissionFlags } from "../../rules/workers/confinement.ts";
import { packagesOf } from "../builds/package-cache.ts";
import { createReadTypes } from "../builds/read-types.ts";
import type { Runtime } from "../builds/runtimes.ts";
import type { Fence } from "../fence/fence.ts";
import { closedFolderAbove, type ProcessAccount } from "./account.ts";
import type { WorkerOptions } from "./process.ts";

export interface ConfinementOptions {
  home: string;
  /** The root folder of the build. */
  root: string;
  runtime: Runtime;
  account: ProcessAccount;
  /** Undefined where bubblewrap does not work. */
  fence: Fence | undefined;
  settings: { child_processes: boolean; addons: boolean };
  /** Files of certificates that the process may read as well. */
  certificates: readonly string[];
  /** Starts a second process that reads the types of the graphs, where the first one may not start processes. */
  types: { main: string; cache: string; order: TypesOrder; warn: (message: string) => void };
}

const OWN_VERSION = parseVersion(process.versions.node) ?? [0, 0, 0];

export function confineProcess({
  home,
  root,
  runtime,
  account,
  fence,
  settings,
  certificates,
  types,
}: ConfinementOptions): Pick<WorkerOptions, "flags" | "user" | "wrap" | "readTypes"> {
  const { scratch, user } = account;
  const packages = packagesOf(home, root);
  const folders = [root, ...(packages === undefined ? [] : [packages]), ...runtime.reads];
  const files = [...withRealPaths(folders), ...manifestsAbove(folders)];
  const flags = permissionFlags(runtime.version, {
    read: [...files, ...withRealPaths([scratch, ...certificates])],
    write: withRealPaths([scratch]),
    childProcesses: settings.child_processes,
    addons: settings.addons,
  });
  // Bubblewrap fails at a path that its user cannot reach.
  const readable = certificates.filter((path) => existsSync(path) && (!user || closedFolderAbove(path) === undefined));
  const reads = [...withRealPaths(folders), runtime.node, ...readable];
  return {
    flags,
    user,
    wrap: fence && ((command) => fence.wrap({ ...command, reads, writes: [scratch], network: true })),
    ...(!settings.child_processes && { readTypes: readTypesIn(files, fence, types) }),
  };
}

/** Reads types by the server's own Node.js, which reads the application's files and nothing else. */
function readTypesIn(
  files: readonly string[],
  fence: Fence | undefined,
  { main, cache, order, warn }: ConfinementOptions["types"],
): WorkerOptions["readTypes"] {
  const confinement = { read: [...files, cache], write: [cache], childProcesses: false, addons: false };
  return createReadTypes({
    main,
    cache,
    flags: permissionFlags(OWN_VERSION, confinement),
    wrap: fence && ((command) => fence.wrap({ ...command, reads: files, writes: [cache], network: false })),
    order,
    warn,
  });
}

/** Package resolution probes these files. It must see that they are absent, not that access is denied. */
function manifestsAbove(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of withRealPaths(paths)) {
    for (let at = dirname(path); !found.has(at); at = dirname(at)) found.add(at);
  }
  return [...found].map((folder) => join(folder, "package.json"));
}

/** Adds the targets of links: Node.js reads modules there. */
function withRealPaths(paths: readonly string[]): string[] {
  const there = paths.filter((path) => existsSync(path));
  return [...new Set(there.flatMap((path) => [path, realpathSync(path)]))];
}
