/** Composes what a server needs that shares its databases with others. */
import { hostname } from "node:os";
import { secretPrintOf } from "../drivers/secrets/api-key.ts";
import type { Databases, SharedSchemas } from "../drivers/sql/databases.ts";
import { readClusterId } from "../drivers/sql/platform/cluster.ts";
import type { PlatformDb } from "../drivers/sql/platform/tables.ts";
import { followsOthers } from "../engine/control/follow-others.ts";
import { followsReports, reportsToOthers } from "../engine/control/server-reports.ts";
import { requeueLostBuilds } from "../engine/control/recover.ts";
import { oneAtATime } from "../engine/one-at-a-time.ts";
import type { ControlPlane } from "../engine/ports/control.ts";
import type { Platform } from "../engine/ports/ports.ts";
import type { Environment } from "../env.ts";
import { secretsOf } from "./access.ts";
import { basics } from "./deployment.ts";
import { createWakes, openBus, type Sharing } from "./peers.ts";

/** The pause between two looks at what other servers have changed of deployments and logs, in ms. */
export const POLL_MS = 1_000;

/** Returns how this server shares its schemas; undefined for one that has them for itself. */
export function sharedSchemas(environment: Environment): SharedSchemas | undefined {
  const { GRAPHLIB_ROLES: roles, GRAPHLIB_LEASE_SECONDS: seconds } = environment;
  if (roles === undefined) return undefined;
  const secrets = secretsOf(environment).map(secretPrintOf).join();
  return { holder: { host: hostname(), roles: roles.join(), secrets }, lengthMs: seconds * 1_000, clock: basics.clock };
}

export type OpenSharing = Sharing & {
  /** Returns whether the database answers. */
  isReachable(): boolean;
  drain(): void;
  close(): Promise<void>;
};

/** Gets the lease of this server and connects it to the others; undefined for one that has its databases for itself. */
export async function openSharing(
  databases: Databases,
  db: PlatformDb,
  environment: Environment,
): Promise<OpenSharing | undefined> {
  const lease = await databases.openLease();
  if (!lease) return undefined;
  const bus = await openBus(environment.REDIS_URL, `graphlib:${await readClusterId(db)}`, basics.logger);
  const wakes = createWakes(bus);
  return {
    lease,
    bus,
    wakes,
    isReachable: lease.isReachable,
    drain() {
      lease.drain();
      wakes.stop();
    },
    async close() {
      await lease.release();
      await bus.close();
    },
  };
}

/** The topic on which servers tell each other that a deployment has changed. */
const CHANGES = "deployments";

/** Returns a function that tells other servers that a deployment has changed. */
export const tellChange = (sharing: Sharing | undefined) => (): void => sharing?.bus.publish(CHANGES, "");

/** Follows the changes of other servers, and goes on with builds of those that are gone. Returns a function that stops it. */
export function shareDeployments(
  { lease, bus }: Sharing,
  platform: Platform,
  control: ControlPlane,
  wakeBuilder: () => void,
): () => void {
  const failed = (error: unknown): void => basics.logger.error("changes of other servers could not be read", error);
  const follow = oneAtATime(followsOthers(platform, control), failed);
  const followReports = oneAtATime(followsReports(control, lease), failed);
  const report = oneAtATime(reportsToOthers(platform, control, lease), (error) =>
    basics.logger.error("the other servers could not be told what has changed", error),
  );
  const requeue = oneAtATime(() => requeueLostBuilds(platform, control), failed);
  const look = (): void => {
    wakeBuilder();
    follow();
    followReports();
  };
  const heard = bus.listen(CHANGES, look);
  const looking = setInterval(look, POLL_MS).unref();
  look();
  const reporting = [platform.onChange(report), lease.onRenewed(report)];
  const forget = [
    ...reporting,
    lease.onRenewed(requeue),
    bus.onConnected(look),
    () => clearInterval(looking),
    heard.stop,
  ];
  return () => forget.forEach((one) => one());
}
