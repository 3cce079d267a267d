/** Summarizes the processes of a deployment that has several. */
import type { Incident, WorkerState } from "../../protocol/deployments.ts";

type StateWith<S extends WorkerState["status"]> = Extract<WorkerState, { status: S }>;

/**
 * Returns the state of `total` processes, of which some may not be started yet. With one that is ready the deployment
 * serves: the state is that of the process that was ready first, and the others are only counted. Otherwise the state is
 * that of the process that may be ready next.
 */
export function stateOfGroup(states: readonly WorkerState[], total: number): WorkerState {
  const ready = all(states, "ready").toSorted((a, b) => a.since.localeCompare(b.since));
  const [first] = ready;
  if (first) {
    const measured = ready.flatMap(({ memory }) => memory ?? []);
    // A sum of some of them would look like that of all.
    const memory = measured.length === ready.length ? sum(measured) : undefined;
    return { ...first, memory, processes: { ready: ready.length, down: states.filter(isDown).length, total } };
  }
  const [starting] = all(states, "starting").toSorted((a, b) => a.attempt - b.attempt);
  const [crashed] = all(states, "crashed").toSorted((a, b) => a.retryAt.localeCompare(b.retryAt));
  const [failed] = all(states, "failed");
  return starting ?? crashed ?? failed ?? { status: "stopped" };
}

function all<S extends WorkerState["status"]>(states: readonly WorkerState[], status: S): StateWith<S>[] {
  return states.filter((state): state is StateWith<S> => state.status === status);
}

/** A process is down from its crash until it is ready again. */
function isDown(state: WorkerState): boolean {
  return state.status === "crashed" || state.status === "failed" || (state.status === "starting" && state.attempt > 1);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Merges the incidents of processes, each list oldest first, in the order of time. All processes load the same code, so
 * a part of it that did not load is reported once.
 */
export function incidentsOfGroup(lists: readonly (readonly Incident[])[]): Incident[] {
  const merged = lists.flat().toSorted((a, b) => a.at.localeCompare(b.at));
  const seen = new Set<string>();
  return merged.filter((incident) => {
    if (incident.source !== "load") return true;
    const name = JSON.stringify([incident.graph, incident.error]);
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}
