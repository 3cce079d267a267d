/**
 * Completes the results of tasks that failed, or were tried again by the retry policy of their node. LangGraph streams an
 * empty result for a task that fails, or none if the graph has failed before the result was read, and tells no retries.
 * Callbacks receive the errors, which are added here.
 */
import type { CallbackHandlerMethods } from "@langchain/core/callbacks/base";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { errorMessage } from "../../rules/text/error-message.ts";

/** The modes that stream tasks. Both stream the same tasks, and may lose different results. */
export type TaskMode = "tasks" | "debug";

export interface FailedTask {
  mode: TaskMode;
  namespace: readonly string[];
  step: unknown;
  result: JsonObject;
}

export interface TaskErrors {
  /** The handler for the `callbacks` of the run. */
  readonly handler: CallbackHandlerMethods & { name: string; awaitHandlers: boolean };
  /** Records a task event, start or result; returns the event to send. */
  withError(mode: TaskMode, task: unknown, namespace: readonly string[], step?: unknown): unknown;
  /** Returns the failed tasks for which no result was streamed, innermost first. */
  missingResults(): FailedTask[];
}

interface OpenTask extends Omit<FailedTask, "result"> {
  id: string;
  name: unknown;
}

/** The most errors of earlier attempts that a result has. */
const MOST_RETRIES = 100;

export function taskErrors(): TaskErrors {
  const open = new Map<string, OpenTask>();
  const taskOfRun = new Map<string, string>();
  const messages = new Map<string, string>();
  /** The errors after which a task was tried again. */
  const retried = new Map<string, string[]>();
  const retriesOf = (id: string) => (retried.has(id) ? { retried: retried.get(id) } : {});
  const failure = (id: string, name: unknown) => ({
    id,
    name,
    error: messages.get(id),
    interrupts: [],
    ...retriesOf(id),
  });
  return {
    handler: {
      name: "TaskErrors",
      // Background callbacks would arrive after the graph has failed.
      awaitHandlers: true,
      handleChainStart(_chain, _inputs, runId, parent, _tags, metadata, _type, name) {
        const namespace: unknown = metadata?.langgraph_checkpoint_ns;
        if (typeof namespace !== "string" || name !== metadata?.langgraph_node) return;
        const task = namespace.slice(namespace.lastIndexOf(":") + 1);
        taskOfRun.set(runId, task);
        // A chain of the same name within the node is no attempt of it.
        const error = taskOfRun.get(parent ?? "") === task ? undefined : messages.get(task);
        const before = retried.get(task) ?? [];
        if (error !== undefined && before.length < MOST_RETRIES) retried.set(task, [...before, error]);
      },
      handleChainEnd(_outputs, runId) {
        const task = taskOfRun.get(runId);
        // A retry succeeded after attempts that failed.
        if (task !== undefined) messages.delete(task);
        taskOfRun.delete(runId);
      },
      handleChainError(error: unknown, runId) {
        const task = taskOfRun.get(runId);
        // An interrupt is thrown as an error, too.
        if (task === undefined || (isObject(error) && error.is_bubble_up === true)) return;
        messages.set(task, errorMessage(error));
      },
    },
    withError(mode, task, namespace, step) {
      if (!isObject(task) || typeof task.id !== "string") return task;
      const { id, name } = task;
      if ("triggers" in task) {
        open.set(`${mode} ${id}`, { mode, id, name, namespace, step });
        return task;
      }
      open.delete(`${mode} ${id}`);
      if (messages.has(id)) return failure(id, name);
      return retried.has(id) ? { ...task, ...retriesOf(id) } : task;
    },
    missingResults() {
      const failed = [...open.values()].filter(({ id }) => messages.has(id)).toReversed();
      return failed.map(({ mode, id, name, namespace, step }) => ({
        mode,
        namespace,
        step,
        result: failure(id, name),
      }));
    },
  };
}
