import type { NewEvent } from "../../protocol/stream.ts";
import type { RunOrder } from "../../protocol/worker.ts";
import type { ClaimedRun, Deployment, StoredRun } from "../ports/ports.ts";
import { endRun, loseRun } from "./ending.ts";
import { keepLastValues } from "./last-values.ts";

/** The first event of every attempt. */
export function metadataOf(run: StoredRun): NewEvent {
  return { event: "metadata", data: JSON.stringify({ run_id: run.run_id, attempt: run.token }) };
}

/** Executes a claimed run in the worker and writes its events to the log, to its end. */
export async function execute(deployment: Deployment, run: ClaimedRun): Promise<void> {
  // The run was cancelled or deleted after the claim.
  if (!(await deployment.log.isLive(run.run_id))) return;
  let unstored: unknown;
  const lastValues = keepLastValues(run);
  const append = async (batch: readonly NewEvent[]): Promise<void> => {
    const events = lastValues.filter(batch);
    if (events.length === 0 && batch.length > 0) return;
    try {
      if (unstored === undefined && (await deployment.log.append(run.run_id, run.token, events))) return;
    } catch (error) {
      unstored = error;
    }
    // This server may execute it again by now, under another token.
    deployment.worker.cancel(run.run_id, run.token);
  };
  const ending = await deployment.worker.run({ ...orderOf(run), modes: lastValues.modes }, append);
  if (ending.lost && ending.error && run.threaded) {
    if (ending.events.length > 0) await append(ending.events);
    await loseRun(deployment, run, ending.lost, ending.error);
    return;
  }
  if (unstored === undefined) {
    const events = lastValues.filter(ending.events);
    await endRun(deployment, run, { ...ending, values: lastValues.last() }, events);
    return;
  }
  const error = { error: "StorageError", message: "The run's events could not be stored; the server log says why" };
  await endRun(deployment, run, { status: "error", error });
  throw new Error(`Events of run ${run.run_id} could not be stored`, { cause: unstored });
}

function orderOf(run: ClaimedRun): RunOrder {
  const { kwargs } = run;
  return {
    run: run.run_id,
    token: run.token,
    graph: run.graph_id,
    input: kwargs.input,
    command: kwargs.command ?? undefined,
    config: { ...kwargs.config, metadata: { ...kwargs.config.metadata, run_attempt: run.token } },
    context: kwargs.context ?? undefined,
    durable: run.threaded,
    head: run.head,
    attempt: run.token,
    durability: kwargs.durability,
    modes: kwargs.stream_mode,
    subgraphs: kwargs.subgraphs,
    notes: kwargs.checkpoint_notes,
    interruptBefore: kwargs.interrupt_before ?? undefined,
    interruptAfter: kwargs.interrupt_after ?? undefined,
  };
}
