import { Fault } from "../../protocol/faults.ts";
import type { CancelAction } from "../../protocol/runs.ts";
import { hasEnded } from "../../rules/runs/state.ts";
import { isVisible, type Visibility } from "../../rules/visibility.ts";
import { endRun } from "./ending.ts";
import type { Deployment, StoredRun } from "../ports/ports.ts";

/**
 * Stops a run; one that has ended stays as it is. Followers see it end as `interrupted`. `rollback` also deletes it, with
 * the checkpoints that it made.
 */
export async function cancelRun(
  deployment: Deployment,
  runId: string,
  action: CancelAction = "interrupt",
): Promise<void> {
  await deployment.runs.markCancelled(runId, action);
  let tried: number | undefined;
  while (!deployment.worker.cancel(runId)) {
    const run = await deployment.runs.get(runId);
    if (!run || hasEnded(run.status) || run.token === tried) return;
    // Not executing here yet: end it under its present token, which is stale when it is claimed meanwhile.
    tried = run.token;
    if (await endRun(deployment, run, { status: "interrupted" })) {
      // The worker may have been given it while its end was being stored.
      deployment.worker.cancel(runId);
      return;
    }
  }
}

/** A run on a thread is visible where its thread is; another by its own metadata. */
export async function isRunVisible(
  deployment: Deployment,
  run: Pick<StoredRun, "thread_id" | "threaded" | "metadata">,
  visible: Visibility | undefined,
): Promise<boolean> {
  if (!visible) return true;
  const { metadata } = run.threaded ? ((await deployment.threads.get(run.thread_id)) ?? { metadata: {} }) : run;
  return isVisible(visible, metadata);
}

/** Which runs `POST /runs/cancel` means. */
export type CancelSelection =
  | { status: "pending" | "running" | "all" }
  | { threadId: string; runIds: readonly string[] };

/** Faults: `not_found` when there is no such run. */
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

async function selected(deployment: Deployment, selection: CancelSelection): Promise<StoredRun[]> {
  if ("status" in selection) {
    return deployment.runs.list(selection.status === "all" ? ["pending", "running"] : [selection.status]);
  }
  const found = await Promise.all(selection.runIds.map((runId) => deployment.runs.get(runId)));
  return found.filter((run) => run !== undefined).filter((run) => run.thread_id === selection.threadId);
}
