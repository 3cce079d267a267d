/** Looks at and changes the state of threads through their graphs. */
import type { RunnableConfig } from "@langchain/core/runnables";
import type { BaseCheckpointSaver, StateSnapshot } from "@langchain/langgraph";
import { isObject, type JsonObject } from "../protocol/json.ts";
import type { Interrupt, Superstep, ThreadEnd } from "../protocol/threads.ts";
import type { HostMessage } from "../protocol/worker.ts";
import { placeOf } from "./checkpoint-payload.ts";
import { withOpenTasks } from "./open-tasks.ts";
import { logFailure, toRunError, withoutFolder } from "./failure.ts";
import type { Graph } from "./langgraph.ts";
import { sourceOf } from "./load.ts";
import { jsonOf } from "./plain.ts";
import type { RunContext } from "./context.ts";
import { valuesJson } from "./values.ts";
import { commandOf } from "./run-options.ts";

type Question = Extract<HostMessage, { type: "state" }>;

/** One line that answers; never rejects. */
export async function answerState(context: RunContext, question: Question): Promise<string> {
  const { id, graph: name, configurable, asker } = question;
  try {
    const checkpointer = context.newCheckpointer({ run: asker, token: 0, durable: true });
    const graph = await sourceOf(context.app, name)({ configurable });
    const config = { configurable: { ...configurable, __pregel_checkpointer: checkpointer } };
    const answer = await look({ context, graph, config, checkpointer }, question);
    return `${jsonOf({ type: "stated", id, answer })}\n`;
  } catch (error) {
    logFailure(`State of a thread of graph ${name} (${question.do}):`, error);
    return `${jsonOf({ type: "stated", id, error: withoutFolder(toRunError(error), context.app.folder) })}\n`;
  }
}

interface Place {
  context: RunContext;
  graph: Graph;
  config: RunnableConfig;
  checkpointer: BaseCheckpointSaver;
}

async function look(place: Place, question: Question): Promise<unknown> {
  const { context, graph, config, checkpointer } = place;
  switch (question.do) {
    case "get": {
      const state = await graph.getState(config, { subgraphs: question.subgraphs });
      // What was asked at an older checkpoint is told as it was asked.
      const isNewest = config.configurable?.checkpoint_id === undefined;
      return plainState(isNewest ? await withOpenTasks(state, checkpointer) : state);
    }
    case "history": {
      const { limit, before, filter } = question;
      const options = {
        limit,
        filter,
        ...(before !== undefined && { before: { configurable: { checkpoint_id: before } } }),
      };
      const states: JsonObject[] = [];
      for await (const state of graph.getStateHistory(config, options)) states.push(plainState(state));
      return states;
    }
    case "update":
      return changed(place, await graph.updateState(config, valuesOf(question.values), question.asNode));
    case "supersteps": {
      const steps = question.supersteps.map((step) => superstepOf(context, step));
      return changed(place, await graph.bulkUpdateState(config, steps));
    }
  }
}

/** Several updates in a list are one: clients send them so. */
function valuesOf(values: unknown): unknown {
  if (!Array.isArray(values)) return values;
  return values.every(isObject) ? Object.fromEntries(values.flatMap((one) => Object.entries(one))) : values;
}

function superstepOf({ app }: RunContext, { updates }: Superstep) {
  return {
    updates: updates.map(({ as_node, values, command }) => ({
      asNode: as_node,
      values: command ? commandOf(app.langgraph, command) : values,
    })),
  };
}

async function changed({ graph, checkpointer }: Place, next: RunnableConfig): Promise<JsonObject> {
  const at = { configurable: { ...next.configurable, __pregel_checkpointer: checkpointer } };
  return { checkpoint: placeOf(next), thread: threadEnd(await withOpenTasks(await graph.getState(at), checkpointer)) };
}

/** How a thread stands when its newest state is this. */
export function threadEnd(state: StateSnapshot): ThreadEnd {
  const waiting = state.tasks.filter((task) => task.interrupts.length > 0);
  return {
    values: valuesJson(state.values),
    next: state.next,
    interrupts: Object.fromEntries(waiting.map((task) => [task.id, task.interrupts.map(plainInterrupt)])),
  };
}

function plainInterrupt({ id, value }: { id?: string; value?: unknown }): Interrupt {
  return { ...(id !== undefined && { id }), value: JSON.parse(jsonOf(value)) as unknown };
}

/** Spec/runs-api.md 6.4. */
function plainState(state: StateSnapshot): JsonObject {
  return {
    values: state.values,
    next: state.next,
    tasks: state.tasks.map((task) => plainStateTask(task)),
    metadata: state.metadata ?? null,
    created_at: state.createdAt ?? null,
    checkpoint: placeOf(state.config),
    parent_checkpoint: placeOf(state.parentConfig),
    interrupts: state.tasks.flatMap((task) => task.interrupts),
  };
}

function isSnapshot(state: unknown): state is StateSnapshot {
  return isObject(state) && "values" in state && "tasks" in state;
}

function plainStateTask(task: StateSnapshot["tasks"][number]): JsonObject {
  const { id, name, path, interrupts, error, result, state } = task;
  const nested = isSnapshot(state) ? state : undefined;
  return {
    id,
    name,
    path: path ?? [],
    error: error ?? null,
    interrupts,
    checkpoint: nested || state === undefined ? null : placeOf(state),
    state: nested ? plainState(nested) : null,
    result: result ?? null,
  };
}
