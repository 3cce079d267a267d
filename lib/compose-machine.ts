/** Finds out once, at start, how this machine can isolate the code of deployments. */
import { homedir } from "node:os";
import { join } from "node:path";
import { readsOf } from "./drivers/builds/runtimes.ts";
import type { Fence } from "./drivers/fence/fence.ts";
import { probeFence } from "./drivers/fence/probe.ts";
import { reserveUsers } from "./drivers/keeper.ts";
import { givesUsers, USERS } from "./drivers/workers/account.ts";
import { buildEnvironment, type Environment, isReachable } from "./env.ts";
import type { IsolationFacts } from "./rules/workers/isolation.ts";

export interface MachineIsolation {
  /** None where bubblewrap does not work. */
  fence?: Fence;
  grounds: IsolationFacts;
}

/** Once, at the start. The home folder is there. */
export async function findIsolation(environment: Environment): Promise<MachineIsolation> {
  const { GRAPHLIB_HOME: home, GRAPHLIB_WORKER_UID_BASE: firstUser } = environment;
  const project = process.cwd();
  const reads = [process.execPath, ...readsOf(join(project, "lib", "worker", "main.ts")), join(home, "deployments")];
  const { gives: ownUsers } = givesUsers({ home, reads, firstUser });
  if (ownUsers) reserveUsers(firstUser, USERS);
  const found = await probeFence({
    path: buildEnvironment().PATH ?? "",
    user: ownUsers ? { uid: firstUser, gid: firstUser } : undefined,
    hidden: [home, project, homedir()],
  });
  const grounds = {
    allowUnfenced: environment.GRAPHLIB_UNFENCED,
    reachable: isReachable(environment),
    keyed: environment.GRAPHLIB_API_KEY !== undefined,
    ownUsers,
  };
  return "fence" in found ? { fence: found.fence, grounds } : { grounds: { ...grounds, unfenced: found } };
}
