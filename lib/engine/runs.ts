import { Fault } from "../protocol/faults.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { Run, RunCreate, RunKwargs } from "../protocol/runs.ts";
import { END, type NewEvent, type RunError } from "../protocol/stream.ts";
import { effectiveConfig, effectiveContext, type RunIdentity } from "../rules/run-config.ts";
import { hasEnded } from "../rules/run-state.ts";
import { findAssistant } from "./assistants.ts";
import type { Deployment, Platform, RunOutcome, StoredRun } from "./ports.ts";
import type { Assistant } from "../protocol/assistants.ts";

export interface StartRunOptions {
  /** Headers of the caller that go into the run's `configurable`. */
  headers?: Record<string, string>;
  /** Keep the run and its events after its end. */
  keep?: boolean;
  /** Added to the run's metadata. */
  metadata?: JsonObject;
}

/**
 * Stores a run as pending and wakes the dispatcher; `follow` it from -1 to hear all of it.
 * Faults: `not_found` for an unknown assistant.
 */
export async function startRun(
  platform: Platform,
  deployment: Deployment,
  request: RunCreate,
  { headers = {}, keep = request.on_completion === "keep", metadata = {} }: StartRunOptions = {},
): Promise<Run> {
  const assistant = await findAssistant(platform, deployment, request.assistant_id);
  const identity = { run_id: platform.newId(), thread_id: crypto.randomUUID() };
  const now = platform.clock.now();
  const run = {
    ...identity,
    assistant_id: assistant.assistant_id,
    created_at: new Date(now + (request.after_seconds ?? 0) * 1000).toISOString(),
    updated_at: new Date(now).toISOString(),
    metadata: { ...assistant.metadata, ...request.metadata, ...metadata },
    kwargs: kwargsOf(assistant, request, identity, headers, keep),
    multitask_strategy: request.multitask_strategy,
  };
  const stored = { ...run, graph_id: assistant.graph_id, keep };
  deployment.log.open(stored, -1);
  const inserted = deployment.runs.insert(stored);
  // Before the insert is done: a claim asked for now is committed with it.
  deployment.wake(Date.parse(run.created_at));
  try {
    await inserted;
  } catch (error) {
    deployment.log.drop(run.run_id);
    throw error;
  }
  return { ...run, status: "pending" };
}

function kwargsOf(
  assistant: Assistant,
  request: RunCreate,
  identity: RunIdentity,
  headers: Record<string, string>,
  keep: boolean,
): RunKwargs {
  return {
    input: request.input ?? null,
    command: request.command ?? null,
    config: effectiveConfig(assistant, request, identity, headers),
    context: effectiveContext(assistant, request) ?? null,
    stream_mode: request.stream_mode,
    interrupt_before: request.interrupt_before ?? null,
    interrupt_after: request.interrupt_after ?? null,
    webhook: request.webhook ?? null,
    feedback_keys: request.feedback_keys ?? null,
    temporary: !keep,
    subgraphs: request.stream_subgraphs,
    resumable: request.stream_resumable,
  };
}

/** Faults: `not_found`. */
export async function getRun(deployment: Deployment, runId: string): Promise<StoredRun> {
  const run = await deployment.runs.get(runId);
  if (!run) throw new Fault("not_found", "Run not found");
  return run;
}

/** Stops a run; one that has ended stays as it is. Followers see it end as `interrupted`. */
export async function cancelRun(deployment: Deployment, runId: string): Promise<void> {
  if (deployment.worker.cancel(runId)) return;
  const run = await deployment.runs.get(runId);
  if (!run || hasEnded(run.status)) return;
  // Not executing here yet: end it under its present token. Whoever claims it meanwhile wins, and is aborted.
  const ended = await endRun(deployment, run, { status: "interrupted" });
  if (!ended) deployment.worker.cancel(runId);
}

/** Writes the last events of a run and its status. False when the token is stale or the run has ended already. */
export function endRun(
  deployment: Deployment,
  run: Pick<StoredRun, "run_id" | "token">,
  outcome: RunOutcome,
  before: readonly NewEvent[] = [],
): Promise<boolean> {
  const events = outcome.error ? [...before, errorEvent(outcome.error)] : [...before];
  events.push({ event: END, data: JSON.stringify({ status: outcome.status }) });
  return deployment.log.finish(run.run_id, run.token, outcome, events);
}

function errorEvent(error: RunError): NewEvent {
  return { event: "error", data: JSON.stringify(error) };
}

/** Ends what a process that died left running: without a checkpoint there is nothing to go on from. */
export async function recoverRuns(platform: Platform, deployment: Deployment): Promise<void> {
  for (const run of await deployment.runs.list(["running", "pending"])) {
    deployment.log.open(run, run.last_event);
    if (run.status === "pending") continue;
    const error = { error: "ServerRestarted", message: "The server stopped while this run was going on" };
    await endRun(deployment, run, { status: "error", error });
  }
  deployment.wake();
  const due = await deployment.runs.nextDue(platform.clock.now());
  if (due !== undefined) deployment.wake(due);
}
