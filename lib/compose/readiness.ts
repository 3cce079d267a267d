/** Composes how a server says whether it can take requests. */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { PlatformDb } from "../drivers/sql/platform/tables.ts";
import type { Readiness } from "../protocol/readiness.ts";
import type { OpenSharing } from "./sharing.ts";

/** A database that has not answered for this time is away, in ms. */
const ANSWER_MS = 2_000;

/**
 * Returns functions that say whether a server is ready, and that make it stop being so. Calls at the same time share a look. The
 * lease of a server knows whether the database answers, also while all other connections are busy.
 */
export function createReadiness(db: PlatformDb, environment: { REDIS_URL?: string }, sharing: OpenSharing | undefined) {
  let isDraining = false;
  let looking: Promise<boolean> | undefined;
  const look = (): Promise<boolean> => {
    looking ??= answers(db).finally(() => (looking = undefined));
    return looking;
  };
  return {
    drain(): void {
      isDraining = true;
      sharing?.drain();
    },
    async readiness(): Promise<Readiness> {
      const database = (sharing ? sharing.isReachable() : await look()) ? "ok" : "away";
      const lease = sharing && (sharing.lease.id() === undefined ? "lost" : "held");
      const redis = sharing && environment.REDIS_URL !== undefined && (sharing.bus.isConnected() ? "ok" : "away");
      return {
        ready: database === "ok" && lease !== "lost" && !isDraining,
        database,
        ...(lease && { lease }),
        ...(redis && { redis }),
        draining: isDraining,
      };
    },
  };
}

async function answers(db: PlatformDb): Promise<boolean> {
  const answer = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  return await Promise.race([answer, sleep(ANSWER_MS, false, { ref: false })]);
}
