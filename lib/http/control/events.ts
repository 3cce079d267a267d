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
import { encodeSse, HEARTBEAT, HEARTBEAT_MS } from "../../protocol/sse.ts";
import { merge } from "../merge.ts";
import { byteStream, STREAM_HEADERS } from "../sse.ts";
import type { ControlCall, ControlHandler } from "./endpoint.ts";
import { afterOf, encodeLines } from "./logs.ts";

/** How many lines a log begins with, when nobody says from where. */
const TAIL = 1_000;

/**
 * All that a page of the console follows, as one stream: the states of all deployments (`deployments`), and where it is
 * asked for a revision (`revision`), lines of a log (`lines`, with the id of the last as the event's id), each at once and
 * after every change; and that runs of threads began or ended (`threads`).
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
  // What is not there is told before the stream begins.
  if (deployment && query.revision !== undefined) await getRevision(call.control, deployment, query.revision);
  const body = byteStream(open, { keepAlive: { text: HEARTBEAT, everyMs: HEARTBEAT_MS } });
  return new Response(body, { headers: STREAM_HEADERS });
};

type EventsCall = ControlCall<undefined, EventsQuery>;

function states(platform: Platform, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  return changes(platform, signal, "deployments", () =>
    Promise.resolve(JSON.stringify(viewDeployments(platform).map(stateOf))),
  );
}

function stateOf({ name, status, worker, live, newest }: DeploymentView) {
  return { name, status, worker: worker.status, live: live && { number: live.number }, newest };
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

/** News of threads come at most so often. */
const THREADS_MS = 250;

/** That something has changed, and nothing more: who may see which thread is told where threads are asked for. */
async function* threads(deployment: Deployment, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  const news = newsOf((listener) => watchThreads(deployment, listener), signal);
  for (;;) {
    await news();
    if (signal.aborted) return;
    yield encodeSse({ event: "threads", data: "null" });
    await sleep(THREADS_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** What happens between two reads is told as one: only the newest state counts. */
async function* changes(
  platform: Platform,
  signal: AbortSignal,
  event: string,
  read: () => Promise<string | undefined>,
): AsyncGenerator<string, void, undefined> {
  const news = newsOf((listener) => platform.onChange(listener), signal);
  let told: string | undefined;
  while (!signal.aborted) {
    const now = await read();
    if (now !== undefined && now !== told) {
      told = now;
      yield encodeSse({ event, data: now });
    }
    await news();
  }
}

/** Answers what resolves when there have been news since it last did, or on abort. */
function newsOf(subscribe: (listener: () => void) => () => void, signal: AbortSignal): () => Promise<void> {
  let news = Promise.withResolvers<void>();
  const stop = subscribe(() => news.resolve());
  signal.addEventListener("abort", () => {
    stop();
    news.resolve();
  });
  return async () => {
    await news.promise;
    news = Promise.withResolvers();
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
