import type { BaseCheckpointSaver, StateSnapshot } from "@langchain/langgraph";
import { isObject } from "../../protocol/json.ts";

/** The channels that LangGraph writes for a task without a result: its failure, its interrupts and their answers. */
const NO_RESULT = new Set(["__error__", "__error_source_node__", "__interrupt__", "__resume__", "__scheduled__"]);

/**
 * Returns a state whose tasks wait for exactly their open interrupts. LangGraph takes a task for done if it interrupts
 * again after an answer, and reports the interrupts of a task that is done as if they were open.
 */
export async function withOpenTasks(state: StateSnapshot, checkpointer: BaseCheckpointSaver): Promise<StateSnapshot> {
  if (!state.tasks.some(({ interrupts }) => interrupts.length > 0)) return state;
  const { pendingWrites = [] } = (await checkpointer.getTuple(state.config)) ?? {};
  const done = new Set(pendingWrites.filter(([, channel]) => !NO_RESULT.has(channel)).map(([task]) => task));
  const tasks = await Promise.all(
    state.tasks.map(async (task) => {
      const { state: nested, interrupts } = task;
      const open = { ...task, interrupts: done.has(task.id) ? [] : interrupts };
      return isSnapshot(nested) ? { ...open, state: await withOpenTasks(nested, checkpointer) } : open;
    }),
  );
  const forgotten = tasks.filter(({ name, interrupts }) => interrupts.length > 0 && !state.next.includes(name));
  return { ...state, tasks, next: [...state.next, ...forgotten.map(({ name }) => name)] };
}

/** Returns whether a task that is itself a graph comes with that graph's state, and not only with its position. */
export function isSnapshot(state: unknown): state is StateSnapshot {
  return isObject(state) && "values" in state && "tasks" in state;
}
