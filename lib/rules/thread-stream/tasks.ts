/** Tracks tasks. Their lifecycle is that of the namespaces below the root (docs/api/thread-streams.md#events). */
import { isObject, type JsonObject, parseJson } from "../../protocol/json.ts";
import type { AgentStatus } from "../../protocol/thread-stream.ts";
import { boundedMap } from "./bounded-map.ts";
import type { UnnumberedEvent } from "./unnumbered-event.ts";

/** The lifecycle change that a `tasks` event reports. */
export interface TaskStep {
  /** The task's own namespace. */
  readonly namespace: readonly string[];
  readonly name: string;
  readonly status: Exclude<AgentStatus, "running">;
  readonly error?: string;
}

export interface OpenTasks {
  /** Returns the change that an event reports; undefined when it is known already. */
  take(data: string, namespace: readonly string[]): TaskStep | undefined;
  /** Returns the number of running tasks of a node in a graph. */
  count(name: string, graph: readonly string[]): number;
  /** Ends all running tasks with this status, the innermost first. */
  endAll(status: TaskStep["status"]): TaskStep[];
}

/** The most characters of running tasks: enough for tens of thousands. */
const MOST_OPEN = 4 * 1024 * 1024;

export function openTasks(): OpenTasks {
  const open = boundedMap<TaskStep>(MOST_OPEN);
  const counts = new Map<string, number>();
  const countKey = (name: string, graph: readonly string[]): string => [...graph, name].join("|");
  const counted = ({ name, namespace }: TaskStep, more: 1 | -1): void => {
    const key = countKey(name, namespace.slice(0, -1));
    const count = (counts.get(key) ?? 0) + more;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  };
  return {
    take(data, graph) {
      const task = parseJson(data);
      if (!isObject(task) || typeof task.id !== "string" || typeof task.name !== "string") return undefined;
      const namespace = [...graph, `${task.name}:${task.id}`];
      const key = namespace.join("|");
      if ("triggers" in task) {
        if (open.get(key)) return undefined;
        const step: TaskStep = { namespace, name: task.name, status: "started" };
        counted(step, 1);
        for (const forgotten of open.set(key, step, key.length)) counted(forgotten, -1);
        return step;
      }
      // A task without a start event is reported too: it began in an earlier attempt of the run.
      const done = open.delete(key);
      if (done) counted(done, -1);
      return { namespace, name: task.name, ...outcomeOf(task) };
    },
    count: (name, graph) => counts.get(countKey(name, graph)) ?? 0,
    endAll(status) {
      const rest = open.values().toReversed();
      for (const { namespace } of rest) open.delete(namespace.join("|"));
      counts.clear();
      return rest.map(({ namespace, name }) => ({ namespace, name, status }));
    },
  };
}

function outcomeOf({ error, interrupts }: JsonObject): Pick<TaskStep, "status" | "error"> {
  if (error !== undefined && error !== null) {
    return { status: "failed", error: typeof error === "string" ? error : JSON.stringify(error) };
  }
  return { status: Array.isArray(interrupts) && interrupts.length > 0 ? "interrupted" : "completed" };
}

export function lifecycleOf({ namespace, name, status, error }: TaskStep): UnnumberedEvent {
  return { method: "lifecycle", namespace, data: JSON.stringify({ event: status, graph_name: name, error }) };
}
