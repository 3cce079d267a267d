/**
 * Completes the results of failed tasks. LangGraph streams an empty result for a task that fails, or none if the graph
 * has failed before the result was read. Callbacks receive the error, which is added here.
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

export function taskErrors(): TaskErrors {
  const open = new Map<
    string,
    { mode: TaskMode; id: string; name: unknown; namespace: readonly string[]; step: unknown }
  >();
  const taskOfRun = new Map<string, string>();
  const messages = new Map<string, string>();
  const failure = (id: string, name: unknown) => ({ id, name, error: messages.get(id), interrupts: [] });
  return {
    handler: {
      name: "TaskErrors",
      // Background callbacks would arrive after the graph has failed.
      awaitHandlers: true,
      handleChainStart(_chain, _inputs, runId, _parent, _tags, metadata, _type, name) {
        const namespace: unknown = metadata?.langgraph_checkpoint_ns;
        if (typeof namespace !== "string" || name !== metadata?.langgraph_node) return;
        taskOfRun.set(runId, namespace.slice(namespace.lastIndexOf(":") + 1));
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
      return messages.has(id) ? failure(id, name) : task;
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
