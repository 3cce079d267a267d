import type { BaseCheckpointSaver, StateSnapshot } from "@langchain/langgraph";
import { isObject } from "../../protocol/json.ts";

/** What LangGraph writes of a task that has not given its result: how it failed, what it asks and was answered. */
const NO_RESULT = new Set(["__error__", "__error_source_node__", "__interrupt__", "__resume__", "__scheduled__"]);

/**
 * A state whose tasks wait for exactly what they still ask. LangGraph takes a task for done that asks again once it has
 * been answered, and tells the questions of a task that is done as if they were open.
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

/** A task that is a graph itself holds that graph's state, or only where that is kept. */
export function isSnapshot(state: unknown): state is StateSnapshot {
  return isObject(state) && "values" in state && "tasks" in state;
}
