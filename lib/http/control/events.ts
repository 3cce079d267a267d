import { setTimeout as sleep } from "node:timers/promises";
import { getDeployment } from "../../engine/control/deployments.ts";
import { buildLogName, followLog, serverLogName, tailStart } from "../../engine/control/logs.ts";
import type { StoredDeployment } from "../../engine/ports/builds.ts";
import { viewDeployments } from "../../engine/deployments.ts";
import type { Deployment, Platform } from "../../engine/ports/ports.ts";
import { findRevision, getRevision, shownRevision } from "../../engine/control/revisions.ts";
import { watchThreads } from "../../engine/threads/threads.ts";
import type { EventsQuery } from "../../protocol/control.ts";
import type { DeploymentView } from "../../protocol/deployments.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import { encodeSse } from "../../protocol/sse.ts";
import { merge } from "../merge.ts";
import { sseResponse } from "../sse.ts";
import type { ControlCall, ControlHandler } from "./endpoint.ts";
import { afterOf, encodeLines } from "./logs.ts";

/** The number of newest lines that a log begins with if the request names no position. */
const TAIL = 1_000;

/**
 * Streams what a page of the console follows. Each event is sent at once and after every change: the states of all
 * deployments (`deployments`) and, on request, a revision (`revision`) and lines of a log (`lines`, with the last line's
 * id as the event's id). `threads` says that runs of threads may have begun or ended, or threads were deleted.
 */
export const deploymentEvents: ControlHandler<typeof operations.deploymentEvents> = async (call) => {
  const { platform, query } = call;
  const deployment = query.deployment === undefined ? undefined : await getDeployment(call.control, query.deployment);
  const open = (signal: AbortSignal): AsyncGenerator<string, void, undefined> => {
    const parts = [states(platform, signal)];
    if (deployment && query.revision !== undefined) parts.push(revision(call, deployment, query.revision, signal));
    const served = deployment && platform.find(deployment.name);
    if (served && query.threads === "true") parts.push(threads(served, signal));
    if (deployment && query.log) parts.push(lines(call, deployment, query, signal));
    return merge(parts);
  };
  // A missing revision must be a fault, so it is looked up before the stream begins.
  if (deployment && query.revision !== undefined) await getRevision(call.control, deployment, query.revision);
  return sseResponse(open);
};

type EventsCall = ControlCall<undefined, EventsQuery>;

function states(platform: Platform, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  return changes(platform, signal, "deployments", () =>
    Promise.resolve(JSON.stringify(viewDeployments(platform).map(stateOf))),
  );
}

function stateOf({ name, status, worker, live, newest, servers }: DeploymentView) {
  const processes = worker.status === "ready" ? worker.processes : undefined;
  return { name, status, worker: worker.status, processes, live: live && { number: live.number }, newest, servers };
}

function revision(
  { platform, control }: EventsCall,
  deployment: StoredDeployment,
  number: number,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  return changes(platform, signal, "revision", async () => {
    const stored = await findRevision(control, deployment, number);
    return stored && JSON.stringify(await shownRevision(control, deployment, stored));
  });
}

/** At most one `threads` event is sent in this time. */
const THREADS_MS = 250;

/**
 * Reports only that threads or runs may have changed. Listing them shows each caller those it may see. The first event
 * comes at once: what changed before it was not reported to this connection.
 */
async function* threads(deployment: Deployment, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  const nextChange = changeWaiter((listener) => watchThreads(deployment, listener), signal);
  while (!signal.aborted) {
    yield encodeSse({ event: "threads", data: "null" });
    await sleep(THREADS_MS, undefined, { signal }).catch(() => undefined);
    await nextChange();
  }
}

/** Yields the value of `read` after every change of it. Changes between two reads count as one. */
async function* changes(
  platform: Platform,
  signal: AbortSignal,
  event: string,
  read: () => Promise<string | undefined>,
): AsyncGenerator<string, void, undefined> {
  const nextChange = changeWaiter((listener) => platform.onChange(listener), signal);
  let sent: string | undefined;
  while (!signal.aborted) {
    const now = await read();
    if (now !== undefined && now !== sent) {
      sent = now;
      yield encodeSse({ event, data: now });
    }
    await nextChange();
  }
}

/** Returns a function that resolves after the next change since its last call, or on abort. */
function changeWaiter(subscribe: (listener: () => void) => () => void, signal: AbortSignal): () => Promise<void> {
  let changed = Promise.withResolvers<void>();
  const stop = subscribe(() => changed.resolve());
  signal.addEventListener("abort", () => {
    stop();
    changed.resolve();
  });
  return async () => {
    await changed.promise;
    changed = Promise.withResolvers();
  };
}

async function* lines(
  { control, request }: EventsCall,
  deployment: StoredDeployment,
  query: EventsQuery,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const { deployment_id } = deployment;
  const log =
    query.log === "build" ? buildLogName({ deployment_id, number: query.revision ?? 0 }) : serverLogName(deployment);
  const after = afterOf(request) ?? query.after ?? (await tailStart(control, log, TAIL));
  for await (const page of followLog(control, log, after, signal)) yield encodeLines(page);
}
