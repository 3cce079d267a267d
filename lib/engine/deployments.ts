import { parseGraphPath } from "../protocol/config.ts";
import type { DeploymentView, GraphState, Incident, WorkerState } from "../protocol/deployments.ts";
import type { Deployment, Platform, RunCounts } from "./ports.ts";

export function listDeployments(platform: Platform): DeploymentView[] {
  return platform.list().map(viewDeployment);
}

export function viewDeployment(deployment: Deployment): DeploymentView {
  const loaded = new Map(deployment.worker.graphs().map((one) => [one.graph, one.error]));
  const graphs = Object.entries(deployment.config?.graphs ?? {}).map(([graph, entry]): GraphState => ({
    graph,
    description: entry.description,
    path: parseGraphPath(entry.path).file,
    error: loaded.get(graph),
  }));
  const worker = deployment.worker.state();
  return {
    name: deployment.name,
    status: statusOf(deployment.problem, worker, graphs),
    source: deployment.source,
    problem: deployment.problem,
    graphs,
    worker,
    a2a: deployment.config?.http.disable_a2a !== true,
  };
}

function statusOf(
  problem: string | undefined,
  worker: WorkerState,
  graphs: readonly GraphState[],
): DeploymentView["status"] {
  if (problem !== undefined || worker.status === "failed") return "failed";
  if (worker.status === "stopped") return "stopped";
  if (worker.status === "crashed") return "degraded";
  if (worker.status === "starting") return worker.attempt > 1 ? "degraded" : "provisioning";
  const broken = graphs.filter((one) => one.error).length;
  if (broken === 0) return "ready";
  return broken < graphs.length ? "degraded" : "failed";
}

const HOUR_MS = 3_600_000;

/** Runs now, and how those of the last hour ended. */
export function runCounts(platform: Platform, deployment: Deployment): Promise<RunCounts> {
  return deployment.runs.counts(platform.clock.now() - HOUR_MS);
}

/** What went wrong lately, newest first: failed runs, and the worker's own trouble. */
export async function recentIncidents(deployment: Deployment, limit = 20): Promise<Incident[]> {
  const runs = await deployment.runs.incidents(limit);
  const all = [...runs, ...deployment.worker.incidents()];
  return all.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, limit);
}
