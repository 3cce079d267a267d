/** Runs of servers that share a database: each looks for what the others have left to it. */
import { oneAtATime } from "../one-at-a-time.ts";
import type { Lease } from "../ports/lease.ts";
import type { Deployment, Logger } from "../ports/ports.ts";
import { loseRun } from "./ending.ts";

/** The pause between two looks for runs that other servers have stored or cancelled, in ms. */
const LOOK_MS = 1_000;

/** Goes on with the runs of servers whose leases are over, and with the tasks that these may not have brought to rest. */
export async function takeOverRuns(deployment: Deployment, lease: Lease): Promise<void> {
  // The executors are read before their leases: each of these had its lease when it claimed.
  const executors = await deployment.runs.executors();
  const known = executors.filter((executor) => executor !== null);
  const over = known.length > 0 ? await lease.over(known) : new Set<string>();
  if (over.size === 0 && known.length === executors.length) return;
  for (const run of await deployment.runs.list(["running"])) {
    if (run.executor !== null && !over.has(run.executor)) continue;
    await loseRun(deployment, run, "crashed", {
      error: "ServerLost",
      message: "The server that executed this run is gone",
    });
  }
  await deployment.taskFeeds.recover();
}

/** Aborts the runs of this server that another one has cancelled. */
async function abortCancelled(deployment: Deployment, lease: Lease): Promise<void> {
  const id = lease.id();
  if (id === undefined) return;
  for (const runId of await deployment.runs.cancelledOf(id)) deployment.worker.cancel(runId);
}

/**
 * Looks for work at intervals: `wake` claims what is due, and this server takes over what was executed by servers that are gone.
 * Returns a function that stops it.
 */
export function shareRuns({ logger }: { logger: Logger }, deployment: Deployment, wake: () => void): () => void {
  const { lease } = deployment;
  if (!lease) return () => undefined;
  const failed = (error: unknown): void => logger.error("the runs of other servers could not be read", error);
  const abort = oneAtATime(() => abortCancelled(deployment, lease), failed);
  const takeOver = oneAtATime(() => takeOverRuns(deployment, lease), failed);
  const looking = setInterval(() => {
    wake();
    abort();
  }, LOOK_MS).unref();
  const forget = lease.onRenewed(takeOver);
  return () => {
    clearInterval(looking);
    forget();
  };
}
