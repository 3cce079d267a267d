/** Tasks, and the lifecycle of the namespaces below the root, which are tasks (docs/api/thread-streams.md#events). */
import { isObject, type JsonObject, parseJson } from "../../protocol/json.ts";
import type { AgentStatus } from "../../protocol/thread-stream.ts";
import { remembered } from "./remembered.ts";
import type { Told } from "./told.ts";

/** What a `tasks` event says of the life of its task. */
export interface TaskStep {
  /** The task's own. */
  readonly namespace: readonly string[];
  readonly name: string;
  readonly status: Exclude<AgentStatus, "running">;
  readonly error?: string;
}

export interface OpenTasks {
  /** What the event says, if it is news. */
  take(data: string, namespace: readonly string[]): TaskStep | undefined;
  /** How many tasks of a node are at work in a graph. */
  count(name: string, graph: readonly string[]): number;
  /** All that are at work end this way, the innermost first. */
  endAll(status: TaskStep["status"]): TaskStep[];
}

/** Characters of tasks that are known to be at work: tens of thousands. */
const MOST_OPEN = 4 * 1024 * 1024;

export function openTasks(): OpenTasks {
  const open = remembered<TaskStep>(MOST_OPEN);
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
      // The result of a task that nobody saw begin, when the run was begun anew.
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

export function lifecycleOf({ namespace, name, status, error }: TaskStep): Told {
  return { method: "lifecycle", namespace, data: JSON.stringify({ event: status, graph_name: name, error }) };
}
