import { isFault } from "../../protocol/faults.ts";
import { HOST } from "../../protocol/host-requests.ts";
import { END, type NewEvent, type RunError } from "../../protocol/stream.ts";
import { type Loss, mayTryAgain } from "../../rules/runs/state.ts";
import type { Deployment, Platform, StoredRun } from "../ports/ports.ts";
import type { FinishedRun, RunOutcome } from "../ports/run-end.ts";
import { webhookOf } from "../webhooks.ts";

/**
 * Writes the last events of a run and its status. A run that is rolled back is deleted, with its checkpoints. Returns
 * false when the token is stale, or the run has ended or was deleted.
 */
export async function endRun(
  deployment: Deployment,
  run: StoredRun,
  outcome: RunOutcome,
  before: readonly NewEvent[] = [],
): Promise<boolean> {
  const events = outcome.error ? [...before, errorEvent(outcome.error)] : [...before];
  events.push({ event: END, data: JSON.stringify({ status: outcome.status }) });
  const { status, error, thread, unstored } = outcome;
  const discard = run.threaded && run.kwargs.temporary;
  const webhook = await webhookOf(deployment, run, outcome);
  const end = { status, error, webhook, discard, thread, unstored };
  let ended: FinishedRun | undefined;
  try {
    ended = await deployment.log.finish(run, end, events);
  } catch (thrown) {
    const reason = isFault(thrown) && thrown.reason === "unstored" ? unstored?.() : undefined;
    if (!reason) throw thrown;
    // The state that the worker has sent is not stored. An end that was no success keeps its own reason.
    const failed = status === "success" ? { status: "error" as const, error: reason } : { status, error };
    return await endRun(deployment, run, failed, before);
  }
  if (!ended && !(await deployment.runs.get(run.run_id))) deployment.log.drop(run.run_id);
  if (ended && webhook) deployment.webhookDue();
  if (ended && discard && !(await deployment.threads.get(run.thread_id))) {
    await deployment.checkpoints.deleteThread(HOST, run.thread_id);
  }
  if (ended && ended.othersInFlight > 0) {
    deployment.wake();
    if (deployment.peers.executeAll) deployment.peers.wakeOne();
  }
  return ended !== undefined;
}

function errorEvent(error: RunError): NewEvent {
  return { event: "error", data: JSON.stringify(error) };
}

/**
 * Handles a run whose executor is gone. On a thread it is requeued from its last checkpoint, unless it was lost in several
 * crashes; otherwise it ends, with the reason.
 */
export async function loseRun(deployment: Deployment, run: StoredRun, loss: Loss, error: RunError): Promise<void> {
  if (mayTryAgain(run, loss) && (await deployment.log.requeue(run, loss))) {
    deployment.wake();
    // This server may be about to end.
    deployment.peers.wakeOne();
    return;
  }
  const marked = (await deployment.runs.get(run.run_id))?.cancelled ?? false;
  await endRun(deployment, run, { status: marked ? "interrupted" : "error", ...(!marked && { error }) });
}

/** Recovers the runs of a process that died. */
export async function recoverRuns(platform: Platform, deployment: Deployment): Promise<void> {
  for (const run of await deployment.runs.list(["running", "pending"])) {
    deployment.log.open(run, run.last_event);
    if (run.status === "pending") continue;
    await loseRun(deployment, run, "crashed", {
      error: "ServerRestarted",
      message: "The server stopped while this run was going on",
    });
  }
  deployment.wake();
  const due = await deployment.runs.nextDue(platform.clock.now());
  if (due !== undefined) deployment.wake(due);
}
