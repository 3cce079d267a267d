/** Composes what a server needs that shares its databases with others. */
import { hostname } from "node:os";
import { secretPrintOf } from "../drivers/secrets/api-key.ts";
import type { SharedSchemas } from "../drivers/sql/databases.ts";
import { followsOthers } from "../engine/control/follow-others.ts";
import { requeueLostBuilds } from "../engine/control/recover.ts";
import type { ControlPlane } from "../engine/ports/control.ts";
import type { Platform } from "../engine/ports/ports.ts";
import type { Environment } from "../env.ts";
import { secretsOf } from "./access.ts";
import { basics } from "./deployment.ts";

/** The pause between two looks at what other servers have changed of deployments and logs, in ms. */
export const POLL_MS = 1_000;

/** Returns how this server shares its schemas; undefined for one that has them for itself. */
export function sharedSchemas(environment: Environment): SharedSchemas | undefined {
  const { GRAPHLIB_ROLES: roles, GRAPHLIB_LEASE_SECONDS: seconds } = environment;
  if (roles === undefined) return undefined;
  const secrets = secretsOf(environment).map(secretPrintOf).join();
  return { holder: { host: hostname(), roles: roles.join(), secrets }, lengthMs: seconds * 1_000, clock: basics.clock };
}

/** Follows the changes of other servers, and goes on with builds of those that are gone. Returns a function that stops it. */
export function shareDeployments(platform: Platform, control: ControlPlane, wakeBuilder: () => void): () => void {
  const { lease } = control;
  if (!lease) return () => undefined;
  const failed = (error: unknown): void => basics.logger.error("changes of other servers could not be read", error);
  const follow = followsOthers(platform, control);
  let underway = false;
  const looking = setInterval(() => {
    wakeBuilder();
    if (underway) return;
    underway = true;
    follow()
      .catch(failed)
      .finally(() => (underway = false));
  }, POLL_MS).unref();
  const forget = lease.onRenewed(() => void requeueLostBuilds(platform, control).catch(failed));
  return () => {
    clearInterval(looking);
    forget();
  };
}
