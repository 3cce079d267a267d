/**
 * Converts what a graph streams to the events of a run, with the names and payloads of docs/api/runs.md#stream-modes.
 */
import type { StreamMode as GraphMode } from "@langchain/langgraph";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { RunOrder } from "../../protocol/worker.ts";
import { plainCheckpoint } from "../checkpoints/payload.ts";
import type { LangGraph } from "../langgraph.ts";
import { isList } from "../message.ts";
import { mergingSink, type EventSink } from "./merging-sink.ts";
import { messageEvents } from "./message-events.ts";
import { jsonOf } from "../plain.ts";
import { INTERRUPT, stateEvents } from "./state-events.ts";
import { taskErrors, type TaskErrors } from "./task-errors.ts";
import { isoTime } from "../../protocol/iso-time.ts";

/** The namespace of the run's own graph. */
const ROOT: readonly string[] = [];

export interface ChunkReader {
  /** The stream modes to request from the graph. */
  readonly modes: GraphMode[];
  /** Takes one item of the graph's stream. */
  take(chunk: unknown): void;
  /** Takes one event of LangChain's own stream of events. */
  takeEvent(event: unknown): void;
  /** True when no more may be taken until the sink is drained. */
  readonly overrun: boolean;
  /** The LangChain callbacks to register for the run. */
  readonly callbacks: TaskErrors["handler"][] | undefined;
  /** Sends the missing results of failed tasks, once the graph has failed. */
  fail(): void;
  /** Sends everything that is still held back. */
  end(): void;
}

export function readChunks(
  order: Pick<RunOrder, "modes" | "subgraphs" | "notes">,
  to: EventSink,
  { interruptsInValues }: Pick<LangGraph, "interruptsInValues">,
): ChunkReader {
  const requested = new Set(order.modes);
  const takesInterrupts = requested.has("values") && !interruptsInValues;
  const sink = mergingSink(to);
  const send = (name: string, namespace: readonly string[], payload: unknown) =>
    sink.send(namespace.length === 0 ? name : `${name}|${namespace.join("|")}`, jsonOf(payload));
  const messages = messageEvents(requested, sink);
  const state = stateEvents();
  const tasks = requested.has("tasks") || requested.has("debug") ? taskErrors() : undefined;

  const readers: Record<GraphMode, (payload: unknown, namespace: readonly string[]) => void> = {
    messages: messages.take,
    updates(payload, namespace) {
      if (requested.has("updates")) send("updates", namespace, payload);
      const interrupts = takesInterrupts && isObject(payload) ? payload[INTERRUPT] : undefined;
      if (isList(interrupts) && interrupts.length > 0) readers.values({ [INTERRUPT]: interrupts }, namespace);
    },
    custom: (payload, namespace) => send("custom", namespace, payload),
    tasks: (payload, namespace) => send("tasks", namespace, tasks?.withError("tasks", payload, namespace)),
    tools: (payload, namespace) => send("tools", namespace, payload),
    values(payload, namespace) {
      if (requested.has("values")) send("values", namespace, state.withInterrupts(payload, namespace.join("|")));
      if (requested.has("messages")) messages.complete(payload);
    },
    checkpoints(payload, namespace) {
      if (!isObject(payload)) return;
      // LangGraph also streams short notes about checkpoints that nobody requested.
      if ("values" in payload) send("checkpoints", namespace, plainCheckpoint(payload));
      else if (order.notes) send("checkpoints", namespace, payload);
    },
    debug(payload, namespace) {
      if (isObject(payload)) send("debug", namespace, debugOf(payload, namespace, tasks));
    },
  };

  const modes = graphModes(takesInterrupts ? new Set([...requested, "updates"]) : requested);
  const readModes: readonly GraphMode[] = order.notes ? [...modes, "checkpoints"] : modes;
  const readerOf = new Map<unknown, (typeof readers)[GraphMode]>(readModes.map((mode) => [mode, readers[mode]]));
  return {
    modes,
    take(chunk) {
      if (!isList(chunk)) return;
      if (order.subgraphs) readerOf.get(chunk[1])?.(chunk[2], isList(chunk[0]) ? chunk[0].map(String) : ROOT);
      else readerOf.get(chunk[0])?.(chunk[1], ROOT);
    },
    takeEvent: (event) => send("events", ROOT, event),
    get overrun() {
      return sink.overrun;
    },
    callbacks: tasks ? [tasks.handler] : undefined,
    fail() {
      for (const { mode, namespace, step, result } of tasks?.missingResults() ?? []) {
        const timestamp = isoTime(Date.now());
        send(mode, namespace, mode === "tasks" ? result : { step, type: "task_result", timestamp, payload: result });
      }
    },
    end: sink.release,
  };
}

function debugOf(event: JsonObject, namespace: readonly string[], tasks: TaskErrors | undefined): JsonObject {
  const { type, step, payload } = event;
  const isCheckpoint = type === "checkpoint" && isObject(payload);
  return {
    ...event,
    payload: isCheckpoint ? plainCheckpoint(payload) : tasks?.withError("debug", payload, namespace, step),
  };
}

/** Returns at least one mode, because LangGraph uses its own default if there is none. */
function graphModes(requested: ReadonlySet<RunOrder["modes"][number]>): GraphMode[] {
  const modes = new Set<GraphMode>();
  for (const mode of requested) {
    if (mode === "messages-tuple") modes.add("messages");
    else if (mode !== "events") modes.add(mode);
  }
  if (requested.has("messages") || modes.size === 0) modes.add("values");
  return [...modes];
}
