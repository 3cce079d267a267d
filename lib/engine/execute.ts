import type { NewEvent } from "../protocol/stream.ts";
import type { RunOrder } from "../protocol/worker.ts";
import type { Deployment, StoredRun } from "./ports.ts";
import { endRun } from "./runs.ts";

/** The first event of every attempt. */
export function metadataOf(run: StoredRun): NewEvent {
  return { event: "metadata", data: JSON.stringify({ run_id: run.run_id, attempt: run.token }) };
}

/** Runs a claimed run in the worker and writes what it tells into the log, to its end. */
export async function execute(deployment: Deployment, run: StoredRun): Promise<void> {
  const ending = await deployment.worker.run(orderOf(run), async (events) => {
    const accepted = await deployment.log.append(run.run_id, run.token, events);
    if (!accepted) deployment.worker.cancel(run.run_id);
  });
  await endRun(deployment, run, ending, ending.events);
}

function orderOf(run: StoredRun): RunOrder {
  const { kwargs } = run;
  return {
    run: run.run_id,
    token: run.token,
    graph: run.graph_id,
    input: kwargs.input,
    command: kwargs.command ?? undefined,
    config: { ...kwargs.config, metadata: { ...kwargs.config.metadata, run_attempt: run.token } },
    context: kwargs.context ?? undefined,
    modes: kwargs.stream_mode,
    subgraphs: kwargs.subgraphs,
    interruptBefore: kwargs.interrupt_before ?? undefined,
    interruptAfter: kwargs.interrupt_after ?? undefined,
  };
}
