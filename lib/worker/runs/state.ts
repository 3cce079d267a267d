/** Reads and changes the state of threads through their graphs. */
import type { RunnableConfig } from "@langchain/core/runnables";
import type { BaseCheckpointSaver, StateSnapshot } from "@langchain/langgraph";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { Interrupt, Superstep, ThreadEnd, ThreadState } from "../../protocol/threads.ts";
import type { HostMessage } from "../../protocol/worker.ts";
import { knownPositionOf, positionOf } from "../checkpoints/payload.ts";
import { isSnapshot, withOpenTasks } from "./open-tasks.ts";
import { logFailure, toRunError, withoutFolder } from "../failure.ts";
import type { Graph, Subgraph } from "../langgraph.ts";
import { sourceOf } from "../application/load.ts";
import { boundedState, VALUES } from "../../rules/threads/bounded-state.ts";
import { selectedState } from "../../rules/threads/selected-state.ts";
import { jsonOf, plainOf } from "../plain.ts";
import type { RunContext } from "./context.ts";
import { subgraphsAt } from "../subgraphs.ts";
import { valuesJson } from "./values.ts";
import { commandOf } from "./options.ts";

type StateMessage = Extract<HostMessage, { type: "state" }>;

/** Returns the line of the answer; never rejects. */
export async function answerState(context: RunContext, question: StateMessage): Promise<string> {
  const { id, graph: name, configurable, requester } = question;
  try {
    const checkpointer = context.newCheckpointer({ run: requester, token: 0, durable: true });
    const root = await sourceOf(context.app, name)({ configurable });
    const graph = (await subgraphOf(root, configurable.checkpoint_ns)) ?? root;
    const config = { configurable: { ...configurable, __pregel_checkpointer: checkpointer } };
    const answer = await executeQuestion({ context, root, graph, config, checkpointer }, question);
    return `${jsonOf({ type: "stated", id, answer })}\n`;
  } catch (error) {
    logFailure(`A state request (${question.do}) on a thread of graph ${name} failed:`, error);
    return `${jsonOf({ type: "stated", id, error: withoutFolder(toRunError(error), context.app.folder) })}\n`;
  }
}

interface StateTarget {
  context: RunContext;
  root: Graph;
  /** The graph whose state is meant: the root, or a graph inside of it. */
  graph: Graph | Subgraph;
  config: RunnableConfig;
  checkpointer: BaseCheckpointSaver;
}

async function executeQuestion(target: StateTarget, question: StateMessage): Promise<unknown> {
  const { context, graph, config, checkpointer } = target;
  switch (question.do) {
    case "get": {
      const state = await graph.getState(config, { subgraphs: question.subgraphs });
      // An older checkpoint is shown with the interrupts of its time.
      const isNewest = config.configurable?.checkpoint_id === undefined;
      return selected(rootState(isNewest ? await withOpenTasks(state, checkpointer) : state), question);
    }
    case "history": {
      const { limit, before, filter } = question;
      const options = {
        limit,
        filter,
        ...(before !== undefined && { before: { configurable: { checkpoint_id: before } } }),
      };
      const states: object[] = [];
      for await (const state of graph.getStateHistory(config, options))
        states.push(selected(rootState(state), question));
      return states;
    }
    case "update":
      requireKnown(target);
      return changeResult(target, await graph.updateState(config, valuesOf(question.values), question.asNode));
    case "supersteps": {
      const steps = question.supersteps.map((step) => superstepOf(context, step));
      return changeResult(target, await graph.bulkUpdateState(config, steps));
    }
  }
}

/** Merges a list of updates into one, because clients send several so. */
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

/** Returns the new checkpoint and the state of its thread, which is the root's state whichever graph was changed. */
async function changeResult({ root, graph, checkpointer }: StateTarget, next: RunnableConfig): Promise<JsonObject> {
  const { thread_id } = next.configurable ?? {};
  const configurable = graph === root ? next.configurable : { thread_id: thread_id as unknown, checkpoint_ns: "" };
  const state = await root.getState({ configurable: { ...configurable, __pregel_checkpointer: checkpointer } });
  return { checkpoint: positionOf(next), thread: threadEnd(await withOpenTasks(state, checkpointer)) };
}

/** Throws if a namespace names no subgraph, because LangGraph would then use the root's nodes. */
function requireKnown({ root, graph, config }: StateTarget): void {
  const namespace: unknown = config.configurable?.checkpoint_ns;
  if (graph !== root || typeof namespace !== "string" || namespace === "") return;
  throw new Error(`There is no graph "${namespace}" inside of this one: checkpoint_ns must be one of its namespaces`);
}

/** Returns undefined for the root, and for a namespace of a graph that LangGraph does not list as its subgraph. */
async function subgraphOf(root: Graph, namespace: unknown): Promise<Subgraph | undefined> {
  if (typeof namespace !== "string" || namespace === "") return undefined;
  for await (const [, subgraph] of subgraphsAt(root, namespace, true)) return subgraph;
  return undefined;
}

/** Returns what is stored of a thread whose newest state this is. */
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

/** Returns a thread's state in the form of docs/api/runs.md#state-and-history, with the interrupts of all its tasks. */
function rootState(state: StateSnapshot): JsonObject {
  return { ...plainState(state), interrupts: state.tasks.flatMap((task) => task.interrupts) };
}

function selected(
  state: JsonObject,
  { select, valueLimit }: { select?: readonly string[]; valueLimit?: number },
): object {
  if (!select && valueLimit === undefined) return state;
  // Values that nobody wants are not walked: they may be megabytes.
  const hasValues = !select || select.some((one) => one === "values" || one.startsWith(VALUES));
  const wanted = hasValues ? state : { ...state, values: null };
  // Messages are objects of LangChain here, whose members have other names than on the wire.
  const shown = selectedState(plainOf(wanted) as ThreadState, select);
  return valueLimit === undefined ? shown : boundedState(shown, valueLimit);
}

function plainState(state: StateSnapshot): JsonObject {
  return {
    values: state.values,
    next: state.next,
    tasks: state.tasks.map((task) => plainStateTask(task)),
    metadata: state.metadata ?? null,
    created_at: state.createdAt ?? null,
    checkpoint: positionOf(state.config),
    parent_checkpoint: positionOf(state.parentConfig),
  };
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
    checkpoint: nested || state === undefined ? null : knownPositionOf(state),
    state: nested ? plainState(nested) : null,
    result: result ?? null,
  };
}
