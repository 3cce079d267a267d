import { parseGraphPath } from "../protocol/config.ts";
import type { DeploymentServer, DeploymentView, GraphState, Incident, WorkerState } from "../protocol/deployments.ts";
import type { Revision } from "../protocol/revisions.ts";
import { configNotes } from "../rules/preflight/config-notes.ts";
import { Fault } from "../protocol/faults.ts";
import { GIVEN_UP_S, whyNotServed } from "../rules/revisions/not-served.ts";
import { isInPlace } from "../rules/sources/in-place.ts";
import { isUnderway } from "../rules/revisions/phases.ts";
import { placeWords, sourceWords } from "../rules/revisions/words.ts";
import type { DeploymentLifecycle } from "./ports/deployment-lifecycle.ts";
import type { Deployment, Platform, RunCounts } from "./ports/ports.ts";

export function viewDeployments(platform: Platform): DeploymentView[] {
  return platform.list().map(viewDeployment);
}

/** Returns the status by the given stored state, which is newer than the deployment's own lifecycle. */
export function statusNow(deployment: Deployment, stored: LifecycleState): DeploymentView["status"] {
  return statusOf(stored, deployment.worker.state(), graphsOf(deployment));
}

function graphsOf({ config, worker }: Deployment): GraphState[] {
  const loaded = new Map(worker.graphs().map((one) => [one.graph, one.error]));
  return Object.entries(config?.graphs ?? {}).map(([graph, entry]) => ({
    graph,
    description: entry.description,
    path: parseGraphPath(entry.path).file,
    error: loaded.get(graph),
  }));
}

export function viewDeployment(deployment: Deployment): DeploymentView {
  const graphs = graphsOf(deployment);
  const worker = deployment.worker.state();
  const { live, served, newest } = deployment.lifecycle;
  // The next revision may have another source than the live one.
  const source = served?.source ?? deployment.lifecycle.source;
  return {
    name: deployment.name,
    status: statusOf(deployment.lifecycle, worker, graphs),
    source: sourceWords(source),
    in_place: isInPlace(source),
    live: live === null ? null : { number: live, commit: served?.commit ?? null, since: served?.live_at ?? null },
    newest: newest ? { number: newest.number, state: newest.state } : null,
    problem: problemOf(deployment.lifecycle, worker),
    ...(deployment.unfenced !== undefined && { unfenced: deployment.unfenced }),
    notes: deployment.config ? configNotes(deployment.config) : [],
    graphs,
    worker,
    servers: deployment.lifecycle.servers ?? [],
    a2a: deployment.config?.http.disable_a2a !== true,
  };
}

/** Returns the fault for requests to a deployment that has no code. */
export function notServed({ name, lifecycle, worker }: Pick<Deployment, "name" | "lifecycle" | "worker">): Fault {
  const starting = worker.state().status === "starting";
  const { message, retryAfter } = whyNotServed({ name, ...lifecycle, starting });
  return new Fault("unavailable", message, { retryAfter });
}

/** Faults: `unavailable` when the code has crashed too often to wait for it. */
export function requireWorking({ name, worker }: Pick<Deployment, "name" | "worker">): void {
  if (worker.state().status !== "failed") return;
  const message = `The code of deployment "${name}" keeps crashing. Its page in the console says why; it is tried again every minute.`;
  throw new Fault("unavailable", message, { retryAfter: GIVEN_UP_S });
}

type LifecycleState = Pick<DeploymentLifecycle, "wanted" | "live" | "servers"> & { newest?: Pick<Revision, "state"> };

function statusOf(
  { wanted, live, newest, servers = [] }: LifecycleState,
  worker: WorkerState,
  graphs: readonly GraphState[],
): DeploymentView["status"] {
  if (wanted === "deleted") return "deleting";
  if (wanted === "stopped") return "stopped";
  const underway = newest !== undefined && isUnderway(newest.state);
  if (live === null) return underway || newest === undefined ? "provisioning" : "failed";
  if (underway) return "updating";
  const own = statusOfWorker(worker, graphs);
  return servers.length === 0 ? own : statusOfServers(own, live, servers);
}

/** Returns the status of a deployment that servers share. What one of them cannot do, others may. */
function statusOfServers(
  own: DeploymentView["status"],
  live: number,
  servers: readonly DeploymentServer[],
): DeploymentView["status"] {
  const isWell = ({ revision, problem }: DeploymentServer): boolean => revision === live && problem === undefined;
  if (own === "failed") return servers.some(isWell) ? "degraded" : "failed";
  return own === "ready" && servers.some(({ problem }) => problem !== undefined) ? "degraded" : own;
}

/** Returns why the deployment does not serve, unless the worker itself says it. */
function problemOf({ live, newest }: DeploymentLifecycle, worker: WorkerState): string | undefined {
  if (live !== null && newest?.number !== live) return undefined;
  if (worker.status === "ready" || worker.status === "crashed" || !newest?.problem) return undefined;
  const { message, fix } = newest.problem;
  const place = placeWords(newest.problem);
  return `${place === undefined ? "" : `${place}: `}${message}${fix === undefined ? "" : `\n${fix}`}`;
}

function statusOfWorker(worker: WorkerState, graphs: readonly GraphState[]): DeploymentView["status"] {
  if (worker.status === "failed" || worker.status === "stopped") return "failed";
  if (worker.status === "crashed") return "degraded";
  if (worker.status === "starting") return worker.attempt > 1 ? "degraded" : "provisioning";
  const broken = graphs.filter((one) => one.error).length;
  if (broken > 0) return broken < graphs.length ? "degraded" : "failed";
  return worker.status === "ready" && worker.processes && worker.processes.down > 0 ? "degraded" : "ready";
}

const HOUR_MS = 3_600_000;

/** Counts the runs under way, and those that ended in the last hour. */
export function runCounts(platform: Platform, deployment: Deployment): Promise<RunCounts> {
  return deployment.runs.counts(platform.clock.now() - HOUR_MS);
}

/** Lists recent failed runs and worker incidents, newest first. */
export async function recentIncidents(deployment: Deployment, limit = 20): Promise<Incident[]> {
  const runs = await deployment.runs.incidents(limit);
  const all = [...runs, ...deployment.worker.incidents()];
  return all.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, limit);
}
