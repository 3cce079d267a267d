import { END, type NewEvent, type RunError } from "../../protocol/stream.ts";
import { mayTryAgain } from "../../rules/runs/state.ts";
import type { Deployment, Platform, RunOutcome, StoredRun } from "../ports/ports.ts";
import { HOST } from "../threads/threads.ts";
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
  const { status, error, thread } = outcome;
  const discard = run.threaded && run.kwargs.temporary;
  const webhook = await webhookOf(deployment, run, outcome);
  const end = { status, error, webhook, discard, thread };
  const ended = await deployment.log.finish(run.run_id, run.token, end, events);
  if (!ended && !(await deployment.runs.get(run.run_id))) deployment.log.drop(run.run_id);
  if (ended && webhook) deployment.webhookDue();
  if (ended && discard && !(await deployment.threads.get(run.thread_id))) {
    await deployment.checkpoints.deleteThread(HOST, run.thread_id);
  }
  if (ended && run.threaded) deployment.wake();
  return ended;
}

function errorEvent(error: RunError): NewEvent {
  return { event: "error", data: JSON.stringify(error) };
}

/**
 * Handles a run whose executor is gone. On a thread it is requeued from its last checkpoint, a few times; otherwise it
 * ends, with the reason.
 */
export async function loseRun(deployment: Deployment, run: StoredRun, error: RunError): Promise<void> {
  const marked = (await deployment.runs.get(run.run_id))?.cancelled ?? false;
  if (mayTryAgain(run) && !marked && (await deployment.runs.requeue(run.run_id, run.token))) deployment.wake();
  else await endRun(deployment, run, { status: marked ? "interrupted" : "error", ...(!marked && { error }) });
}

/** Recovers the runs of a process that died. */
export async function recoverRuns(platform: Platform, deployment: Deployment): Promise<void> {
  for (const run of await deployment.runs.list(["running", "pending"])) {
    deployment.log.open(run, run.last_event);
    if (run.status === "pending") continue;
    await loseRun(deployment, run, {
      error: "ServerRestarted",
      message: "The server stopped while this run was going on",
    });
  }
  deployment.wake();
  const due = await deployment.runs.nextDue(platform.clock.now());
  if (due !== undefined) deployment.wake(due);
}
