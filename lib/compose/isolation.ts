/** Isolates the code of deployments with the means of this machine. */
import { homedir } from "node:os";
import { join } from "node:path";
import { readsOf, type Runtime } from "../drivers/builds/runtimes.ts";
import type { Fence } from "../drivers/fence/fence.ts";
import { probeFence } from "../drivers/fence/probe.ts";
import { terminalLogger, warnOnce } from "../drivers/terminal-logger.ts";
import { decideUsers, openAccount, type ProcessAccount, USERS } from "../drivers/workers/account.ts";
import { confineProcess } from "../drivers/workers/confined-process.ts";
import { reserveUsers } from "../drivers/reaper.ts";
import type { WorkerOptions } from "../drivers/workers/process.ts";
import { requireIsolation } from "../engine/control/isolation.ts";
import type { Build } from "../engine/ports/control.ts";
import { type Environment, isReachable } from "../env.ts";
import { buildEnvironment, certificateFiles, workerEnvironment } from "../program-env.ts";
import type { AppConfig } from "../protocol/config.ts";
import { confinedVariables } from "../rules/workers/confinement.ts";
import { type IsolationFacts, unfencedNote } from "../rules/workers/isolation.ts";

/** The means of this machine to isolate the code of deployments. */
export interface MachineIsolation {
  /** Undefined where bubblewrap does not work. */
  fence?: Fence;
  facts: IsolationFacts;
}

/** Probes the machine once, at the start of the server. The home folder must exist. */
export async function findIsolation(environment: Environment): Promise<MachineIsolation> {
  const { GRAPHLIB_HOME: home, GRAPHLIB_WORKER_UID_BASE: firstUser } = environment;
  const project = process.cwd();
  const reads = [process.execPath, ...readsOf(join(project, "lib", "worker", "main.ts")), join(home, "deployments")];
  const { ownUsers } = decideUsers({ home, reads, firstUser });
  if (ownUsers) reserveUsers(firstUser, USERS);
  const found = await probeFence({
    path: buildEnvironment().PATH ?? "",
    user: ownUsers ? { uid: firstUser, gid: firstUser } : undefined,
    hidden: [home, project, homedir()],
  });
  const facts = {
    allowUnfenced: environment.GRAPHLIB_UNFENCED,
    reachable: isReachable(environment),
    keyed: environment.GRAPHLIB_API_KEY !== undefined,
    ownUsers,
  };
  return "fence" in found ? { fence: found.fence, facts } : { facts: { ...facts, unfenced: found } };
}

export type Isolated = Pick<WorkerOptions, "env" | "flags" | "user" | "wrap" | "readTypes"> & {
  /** The user and the only folders to which the process writes; undefined if it may write wherever the server may. */
  account?: ProcessAccount;
};

/**
 * Isolates the process of a build. Code that is served in place is the operator's own, so its process may do what the
 * server may. Throws `StepFailure` for code that this machine cannot isolate.
 */
export function isolate(
  { deployment, source, root, folder, graphs }: Build & Pick<AppConfig, "graphs">,
  variables: Record<string, string>,
  { environment, runtime, isolation }: { environment: Environment; runtime: Runtime; isolation: MachineIsolation },
): Isolated {
  const { GRAPHLIB_HOME: home, GRAPHLIB_WORKER_UID_BASE: firstUser } = environment;
  const { name, settings } = deployment;
  const cache = join(home, "compile-cache");
  if (root === undefined) return { env: workerEnvironment(variables, { compileCache: cache }) };
  const { kept, dropped } = confinedVariables(variables);
  if (dropped.length > 0) warnOnce(`${name}: ${dropped.join(", ")} would undo its isolation and is left out`);
  const account = openAccount({
    home,
    deployment: name,
    root,
    reads: [runtime.node, ...runtime.reads, join(home, "deployments", name)],
    firstUser,
    warn: (why) => warnOnce(`code of deployments runs as this server's own user: ${why}`),
  });
  const facts = { ...isolation.facts, ownUsers: account.user !== undefined };
  requireIsolation(facts, { source, settings });
  const note = unfencedNote(source, facts);
  if (note !== undefined) warnOnce(`weak isolation: ${note}`);
  const { scratch, temporary } = account;
  const own = { home: scratch, temporary };
  const paths = Object.fromEntries(Object.entries(graphs).map(([graph, { path }]) => [graph, path]));
  const confined = confineProcess({
    home,
    root,
    runtime,
    account,
    fence: isolation.fence,
    settings,
    certificates: certificateFiles(),
    types: {
      main: join(process.cwd(), "lib", "worker", "read-types.ts"),
      cache,
      order: { root, folder, paths },
      warn: (message) => terminalLogger.warn(`${name}: ${message}`),
    },
  });
  return { env: workerEnvironment(kept, { compileCache: join(scratch, "compile-cache"), own }), account, ...confined };
}
