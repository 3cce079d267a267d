import { Fault } from "../../protocol/faults.ts";
import type { CancelAction } from "../../protocol/runs.ts";
import { hasEnded } from "../../rules/runs/state.ts";
import { isVisible, type Visibility } from "../../rules/visibility.ts";
import { endRun } from "./ending.ts";
import type { Deployment, StoredRun } from "../ports/ports.ts";

/**
 * Cancels a run; one that has ended stays as it is. Followers see it end as `interrupted`. `rollback` also deletes it,
 * with the checkpoints that it made.
 */
export async function cancelRun(deployment: Deployment, runId: string, how: CancelAction = "interrupt"): Promise<void> {
  await deployment.runs.markCancelled(runId, how);
  let tried: StoredRun | undefined;
  while (!deployment.worker.cancel(runId)) {
    const run = await deployment.runs.get(runId);
    if (!run || hasEnded(run.status)) return;
    if (run.status === "running" && deployment.lease && run.executor !== deployment.lease.id()) {
      // The server that executes it knows the state that its thread has got. It also finds the mark by looking.
      deployment.peers.cancel(runId);
      return;
    }
    if (run.token === tried?.token && run.status === tried.status) return;
    // The run does not execute here yet. It is ended as it was read; a claim in between makes that fail.
    tried = run;
    if (await endRun(deployment, run, { status: "interrupted" })) {
      // The worker may have got the run while its end was being stored.
      deployment.worker.cancel(runId);
      return;
    }
  }
}

/** Returns whether a run is visible: on a thread, when the thread is; otherwise by its own metadata. */
export async function isRunVisible(
  deployment: Deployment,
  run: Pick<StoredRun, "thread_id" | "threaded" | "metadata">,
  visible: Visibility | undefined,
): Promise<boolean> {
  if (!visible) return true;
  const { metadata } = run.threaded ? ((await deployment.threads.get(run.thread_id)) ?? { metadata: {} }) : run;
  return isVisible(visible, metadata);
}

/** The runs that `POST /runs/cancel` selects. */
export type CancelSelection =
  | { status: "pending" | "running" | "all" }
  | { threadId: string; runIds: readonly string[] };

/** Cancels the selected runs that are visible. Faults: `not_found` when there are none. */
export async function cancelRuns(
  deployment: Deployment,
  selection: CancelSelection,
  action: CancelAction,
  visible?: Visibility,
): Promise<void> {
  const runs: StoredRun[] = [];
  for (const run of await selected(deployment, selection)) {
    if (await isRunVisible(deployment, run, visible)) runs.push(run);
  }
  if (runs.length === 0) throw new Fault("not_found", "Run not found");
  for (const run of runs) await cancelRun(deployment, run.run_id, action);
}

/** Cancels all runs of these threads that have not ended. A thread without any, or none of this id, is left out. */
export async function cancelRunsOf(
  deployment: Deployment,
  threadIds: readonly string[],
  action: CancelAction,
): Promise<void> {
  for (const threadId of new Set(threadIds)) {
    // The last is cancelled first, so that none of them begins.
    for (const run of (await deployment.runs.inFlight(threadId)).toReversed())
      await cancelRun(deployment, run.run_id, action);
  }
}

async function selected(deployment: Deployment, selection: CancelSelection): Promise<StoredRun[]> {
  if ("status" in selection) {
    return deployment.runs.list(selection.status === "all" ? ["pending", "running"] : [selection.status]);
  }
  const found = await Promise.all(selection.runIds.map((runId) => deployment.runs.get(runId)));
  return found.filter((run) => run !== undefined).filter((run) => run.thread_id === selection.threadId);
}
