/** Isolates the process of a build: by Node.js, by bubblewrap, and by a user of its own where the server is root. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MachineIsolation } from "./compose-machine.ts";
import { logger } from "./compose-deployment.ts";
import type { Fence, Wrap } from "./drivers/fence/fence.ts";
import { packagesOf } from "./drivers/builds/package-cache.ts";
import { createReadTypes } from "./drivers/builds/read-types.ts";
import type { Runtime } from "./drivers/builds/runtimes.ts";
import type { WorkerOptions } from "./drivers/workers/process.ts";
import { closedAbove, openAccount, type ProcessAccount } from "./drivers/workers/account.ts";
import { requireIsolation } from "./engine/control/isolation.ts";
import type { Build } from "./engine/ports/control.ts";
import { type Environment, workerEnvironment } from "./env.ts";
import type { TypesOrder } from "./protocol/compile.ts";
import { parseVersion } from "./protocol/versions.ts";
import { confinedVariables, permissionFlags } from "./rules/workers/confinement.ts";
import { unfencedNote } from "./rules/workers/isolation.ts";

export type Isolation = Pick<WorkerOptions, "env" | "flags" | "user" | "wrap" | "readTypes"> & {
  /** Where it writes, and nowhere else. */
  quarters?: ProcessAccount;
};

const CERTIFICATES = ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"];
const OWN_VERSION = parseVersion(process.versions.node) ?? [0, 0, 0];
/** One line for each reason, however many deployments it is true of. */
const told = new Set<string>();

interface Surroundings {
  environment: Environment;
  runtime: Runtime;
  holding: MachineIsolation;
}

/**
 * Code that is served in place is the operator's own: its process may do what the server may. Throws `StepFailure` for
 * code that nothing here would hold.
 */
export function isolate(
  {
    deployment,
    source,
    root,
    graphs,
  }: Pick<Build, "deployment" | "source" | "root"> & { graphs: Record<string, { path: string }> },
  folder: string,
  variables: Record<string, string>,
  { environment, runtime, holding }: Surroundings,
): Isolation {
  const { GRAPHLIB_HOME: home, GRAPHLIB_WORKER_UID_BASE: firstUser } = environment;
  const ours = join(home, "compile-cache");
  if (root === undefined) return { env: workerEnvironment(variables, { compileCache: ours }) };
  const { kept, dropped } = confinedVariables(variables);
  if (dropped.length > 0)
    warnOnce(`${deployment.name}: ${dropped.join(", ")} would undo its isolation and is left out`);
  const packages = packagesOf(home, root);
  const folders = [root, ...(packages === undefined ? [] : [packages]), ...runtime.reads];
  const files = [...withRealPaths(folders), ...manifestsAbove(folders)];
  const quarters = openAccount({
    home,
    deployment: deployment.name,
    root,
    reads: [runtime.node, ...runtime.reads, join(home, "deployments", deployment.name)],
    firstUser,
    warn: (why) => warnOnce(`code of deployments runs as this server's own user: ${why}`),
  });
  const { scratch, temporary, user } = quarters;
  const { fence } = holding;
  const grounds = { ...holding.grounds, ownUsers: user !== undefined };
  requireIsolation({ grounds }, { source, settings: deployment.settings });
  const note = unfencedNote(source, grounds);
  if (note !== undefined) warnOnce(`weak isolation: ${note}`);
  const own = { home: scratch, temporary };
  const env = workerEnvironment(kept, { compileCache: join(scratch, "compile-cache"), own });
  const certificates = serverCertificates();
  const { child_processes: childProcesses, addons } = deployment.settings;
  const flags = permissionFlags(runtime.version, {
    read: [...files, ...withRealPaths([scratch, ...certificates])],
    write: withRealPaths([scratch]),
    childProcesses,
    addons,
  });
  // Bubblewrap ends at a path that its user can't come to.
  const readable = certificates.filter((path) => existsSync(path) && (!user || closedAbove(path) === undefined));
  const reads = [...withRealPaths(folders), runtime.node, ...readable];
  const wrap: Wrap | undefined =
    fence && ((command) => fence.wrap({ ...command, reads, writes: [scratch], network: true }));
  if (childProcesses) return { env, flags, user, wrap, quarters };
  const paths = Object.fromEntries(Object.entries(graphs).map(([graph, { path }]) => [graph, path]));
  const { name } = deployment;
  return {
    env,
    flags,
    user,
    wrap,
    quarters,
    readTypes: typesOf({ root, folder, paths }, { files, cache: ours, fence, name }),
  };
}

/** Certificates come from the server's own environment: a source may name its own files only, not those of the machine. */
function serverCertificates(): string[] {
  const env = workerEnvironment({}, { compileCache: "" });
  return CERTIFICATES.map((name) => env[name]).filter((path) => path !== undefined);
}

/** By the server's own Node.js, which reads the application's files and nothing else. */
function typesOf(
  order: TypesOrder,
  { files, cache, fence, name }: { files: readonly string[]; cache: string; fence: Fence | undefined; name: string },
): WorkerOptions["readTypes"] {
  const confinement = { read: [...files, cache], write: [cache], childProcesses: false, addons: false };
  return createReadTypes({
    main: join(process.cwd(), "lib", "worker", "read-types.ts"),
    cache,
    flags: permissionFlags(OWN_VERSION, confinement),
    wrap: fence && ((command) => fence.wrap({ ...command, reads: files, writes: [cache], network: false })),
    order,
    warn: (message) => logger.warn(`${name}: ${message}`),
  });
}

/** Who looks a package up asks these whether there are any; that they may not be read is no answer. */
function manifestsAbove(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of withRealPaths(paths)) {
    for (let at = dirname(path); !found.has(at); at = dirname(at)) found.add(at);
  }
  return [...found].map((folder) => join(folder, "package.json"));
}

/** Modules are read where links lead. */
function withRealPaths(paths: readonly string[]): string[] {
  const there = paths.filter((path) => existsSync(path));
  return [...new Set(there.flatMap((path) => [path, realpathSync(path)]))];
}

function warnOnce(message: string): void {
  if (told.has(message)) return;
  told.add(message);
  logger.warn(message);
}
