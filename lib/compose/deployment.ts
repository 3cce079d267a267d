/** Composes a deployment: its database, its log, its worker and its loops. */
import { createHash, randomUUID } from "node:crypto";
import packageJson from "../../package.json" with { type: "json" };
import { calendar } from "../drivers/calendar.ts";
import type { OpenDeployment } from "../drivers/hosting/local-hosting.ts";
import type { OwnAddress } from "../drivers/hosting/own-address.ts";
import { createClock } from "../drivers/clock.ts";
import { localLog } from "../drivers/log/local.ts";
import { sharedLog } from "../drivers/log/shared.ts";
import { createOutgoing } from "../drivers/outgoing.ts";
import { newIds } from "../drivers/new-id.ts";
import { apiKeyOf } from "../drivers/secrets/api-key.ts";
import type { Databases } from "../drivers/sql/databases.ts";
import { sqlStores } from "../drivers/sql/stores.ts";
import { terminalLogger } from "../drivers/terminal-logger.ts";
import { noWorker } from "../drivers/workers/no-worker.ts";
import { ReplaceableWorker } from "../drivers/workers/replaceable-worker.ts";
import { createDueEvents, noLoops, startLoops } from "../engine/deployment-loops.ts";
import { assembleDeployment, codeParts } from "../engine/open-deployment.ts";
import type { HostedCode } from "../engine/ports/app-code.ts";
import type { StoredDeployment } from "../engine/ports/builds.ts";
import type { Deployment, EventLog, Platform } from "../engine/ports/ports.ts";
import type { RunEventStore } from "../engine/ports/runs.ts";
import type { Environment } from "../env.ts";
import { PASS_HEADER } from "../protocol/worker.ts";
import { joinPeers, peersOf, type Sharing } from "./peers.ts";

/** The pause between two looks at the events of runs that other servers execute, in ms. */
const POLL_MS = 250;

/** The ports that every part of the engine needs. */
const clock = createClock();
export const basics = {
  clock,
  calendar,
  newId: newIds(clock.now),
  sha1: (bytes: Uint8Array): Uint8Array => createHash("sha1").update(bytes).digest(),
  logger: terminalLogger,
  version: packageJson.version,
};

export interface DeploymentContext {
  platform: Platform;
  environment: Environment;
  databases: Databases;
  /** Undefined for a server that has its databases for itself. */
  sharing: Sharing | undefined;
  address: OwnAddress;
  /** Called after every change of a worker's state, once the deployment has served code. */
  onWorkerChange: (deployment: Deployment) => void;
}

/** Opens a deployment. It can be found and its runs wait, but none of its code is started. */
export async function openDeployment(
  { platform, environment, databases, sharing, address, onWorkerChange }: DeploymentContext,
  stored: StoredDeployment,
): Promise<OpenDeployment> {
  const { name } = stored;
  const { db, commit } = await databases.openDeployment(name);
  const stores = sqlStores(db, commit);
  const log = logOf(sharing, name, stores.runs);
  const worker = new ReplaceableWorker(noWorker("This deployment is not live yet", { status: "starting", attempt: 1 }));
  const { home, self } = homeOf(name, address);
  const forgetAddress = address.onListening((origin) => worker.setHome({ url: home.at(origin), pass: home.secret }));
  const outgoing = createOutgoing({ allowPrivate: false, self });
  const executes = environment.GRAPHLIB_ROLES?.includes("run") ?? true;
  const noCode: HostedCode = { config: undefined, problem: undefined, outgoing, pushOutgoing: outgoing };
  const due = createDueEvents();
  const shared = { lease: sharing?.lease, peers: peersOf(sharing, name, executes) };
  const parts = { name, lifecycle: stored, stores, log, worker, ...shared, pass: apiKeyOf(home.secret), code: noCode };
  const deployment = assembleDeployment(platform, { ...parts, due, allowPush: environment.GRAPHLIB_A2A_PUSH });
  const { GRAPHLIB_RUN_SLOTS: slots, RESUMABLE_STREAM_TTL_SECONDS: seconds } = environment;
  const loops = executes ? startLoops(platform, deployment, due, { slots, keptMs: seconds * 1000 }) : noLoops;
  const leave = sharing && joinPeers(sharing, { deployment, loops, abandonRuns: (why) => worker.abandonRuns(why) });
  let hasServed = false;
  worker.onChange(() => {
    if (!hasServed) return;
    due.runs.emit();
    // Crons that a user made wait for a worker that can authorize this user.
    due.crons.emit();
    deployment.identityCache.clear();
    onWorkerChange(deployment);
  });
  const serve: OpenDeployment["serve"] = async (code, next, how) => {
    Object.assign(deployment, codeParts(basics, code));
    // The deployment's graphs are known from here on. A cron that fired earlier would find none.
    if (!hasServed) {
      hasServed = true;
      await loops.recover();
    }
    // The new configuration may have enabled push notifications.
    due.pushes.emit();
    await worker.replace(next, how);
  };
  return {
    deployment,
    self,
    serve,
    setLifecycle: (lifecycle) => void (deployment.lifecycle = lifecycle),
    stop: (reason, graceMs) => serve(noCode, noWorker(reason, { status: "stopped" }), { graceMs }),
    restart: (reason) => worker.restart(reason),
    async end(graceMs) {
      forgetAddress();
      leave?.();
      await loops.stop(() => worker.stop(graceMs));
      await deployment.taskFeeds.stop();
      log.close();
    },
    close: () => db.destroy(),
  };
}

function logOf(sharing: Sharing | undefined, name: string, runs: RunEventStore): EventLog {
  if (!sharing) return localLog(runs, clock.now);
  const { lease, bus } = sharing;
  return sharedLog(runs, { now: clock.now, executor: lease.id, bus, topic: name, pollMs: POLL_MS });
}

/** Returns the address at which a deployment calls itself on this server, with the key that admits it. */
function homeOf(name: string, address: OwnAddress) {
  const home = { secret: randomUUID(), at: (origin: string): string => `${origin}/agents/${name}` };
  const self: OpenDeployment["self"] = () => {
    const origin = address.origin();
    return origin === undefined ? undefined : { url: home.at(origin), headers: { [PASS_HEADER]: home.secret } };
  };
  return { home, self };
}
