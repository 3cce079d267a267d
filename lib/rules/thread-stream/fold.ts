/**
 * Converts the stored events of a run to those of the thread streaming protocol (docs/api/thread-streams.md#events).
 * The result depends on the run and its events alone, so every replay is the same.
 */
import { isObject, parseJson } from "../../protocol/json.ts";
import { END, RunEnd, type RunEvent } from "../../protocol/stream.ts";
import type { ThreadEvent } from "../../protocol/thread-stream.ts";
import { isWithin } from "./filter.ts";
import { messageFrames } from "./messages.ts";
import { stateConverter } from "./state.ts";
import { lifecycleOf, openTasks, type TaskStep } from "./tasks.ts";
import type { UnnumberedEvent } from "./unnumbered-event.ts";

/** The members of a run that the fold needs in addition to its events. */
export interface FoldedRun {
  readonly run_id: string;
  readonly graph_id: string;
  /** The position of the run's first event within its thread. */
  readonly position: number;
  /** ISO 8601. */
  readonly created_at: string;
}

export interface ThreadFold {
  /** Converts the next event of the run. An event that is not newer than those before becomes no event. */
  take(event: RunEvent): ThreadEvent[];
}

/** The number of protocol events that one stored event may become before it uses up numbers of the next. */
const NUMBERS_PER_EVENT = 1024;

/** Returns the highest `seq` before the event at a position. It is cheap, because it needs no fold. */
export function seqBefore(position: number): number {
  return position * NUMBERS_PER_EVENT;
}

/** The positions reserved after a run: its last event closes all open messages and tasks, which may be many. */
const RESERVED_AT_END = 16;

/** Returns the position of the next run of a thread, after one with `events` stored events. */
export function positionAfter(position: number, events: number): number {
  return position + events + RESERVED_AT_END;
}

export function foldRun(run: FoldedRun): ThreadFold {
  const convert = converterOf(run);
  let seen = -1;
  let seq = 0;
  let timestamp = Date.parse(run.created_at);
  return {
    take(event) {
      if (event.id <= seen) return [];
      seen = event.id;
      const first = seqBefore(run.position + event.id) + 1;
      return convert(event).map((converted, index) => {
        // The number is always above the previous one, even when the event before became more than fit into its numbers.
        seq = Math.max(seq + 1, first + index);
        if (converted.method === "checkpoints") timestamp = Math.max(timestamp, timeOf(converted.data) ?? 0);
        return { seq, event_id: `${run.run_id}:${event.id}.${index}`, timestamp, ...converted };
      });
    },
  };
}

type EventConverter = (data: string, namespace: readonly string[], event: string) => UnnumberedEvent[];

function converterOf(run: FoldedRun): (event: RunEvent) => UnnumberedEvent[] {
  const state = stateConverter();
  const messages = messageFrames();
  const tasks = openTasks();
  const root = rootLifecycle(run);
  const namespaceOf = namespaceReader();
  const finishBelow = (graph: readonly string[]) =>
    messages.finish((namespace) => namespace.length > graph.length && isWithin(namespace, graph, Infinity));

  const readers: Record<string, EventConverter> = {
    metadata: () => root.begin() ?? messages.fail("The run was begun anew"),
    values(data, namespace) {
      const { events, whole } = state.values(data, namespace);
      return whole ? [...finishBelow(namespace), ...events] : events;
    },
    updates(data, namespace) {
      const { events, nodes } = state.updates(data, namespace);
      // An update does not say which of several tasks of a node it comes from.
      const done = new Set(nodes.filter((node) => tasks.count(node, namespace) === 1));
      const isDone = (below: readonly string[]) =>
        isWithin(below, namespace, Infinity) && done.has(nodeOf(below[namespace.length] ?? ""));
      return [...(done.size > 0 ? messages.finish(isDone) : []), ...events];
    },
    messages: messages.take,
    tasks(data, namespace) {
      const step = tasks.take(data, namespace);
      const event: UnnumberedEvent = { method: "tasks", namespace, data };
      if (!step) return [event];
      // A graph that starts another task has not stopped, whatever a graph below it has reported.
      if (step.status === "started" && namespace.length === 0) state.interrupted = false;
      if (step.status === "started") return [event, lifecycleOf(step)];
      return [...messages.finish((below) => isWithin(below, step.namespace, Infinity)), event, lifecycleOf(step)];
    },
    // The long form, which the mode `checkpoints` asks for, comes after the values that it belongs to.
    checkpoints: (data, namespace) => (isNote(data) ? [{ method: "checkpoints", namespace, data }] : []),
    custom: (data, namespace) => [{ method: "custom", namespace, ...customOf(data) }],
    tools: (data, namespace) => toolEvent(data).map((text) => ({ method: "tools", namespace, data: text })),
    error: (data) => root.fail(data),
    [END](data) {
      const ending = root.end(data, state.interrupted);
      const left = ending.reason === undefined ? messages.finish(() => true) : messages.fail(ending.reason);
      return [...left, ...tasks.endAll(ending.status).map(lifecycleOf), ...ending.events];
    },
  };
  const readerOf = new Map(Object.entries(readers));
  return ({ event, data }) => {
    const { name, namespace } = namespaceOf(event);
    return readerOf.get(name)?.(data, namespace, event) ?? [];
  };
}

/** Parses names of the form `mode|node:task|node:task`. Consecutive events mostly have the same name. */
function namespaceReader(): (event: string) => { name: string; namespace: readonly string[] } {
  let known: { event: string; name: string; namespace: readonly string[] } | undefined;
  return (event) => {
    if (known?.event !== event) {
      const [name = "", ...namespace] = event.split("|");
      known = { event, name, namespace };
    }
    return known;
  };
}

function nodeOf(segment: string): string {
  const colon = segment.indexOf(":");
  return colon < 0 ? segment : segment.slice(0, colon);
}

/** Emits the run's own lifecycle. Clients parse its event ids (docs/api/thread-streams.md#numbers-of-events). */
function rootLifecycle({ run_id, graph_id }: FoldedRun) {
  let begun = false;
  let error: string | undefined;
  const emit = (event: string): UnnumberedEvent => ({
    method: "lifecycle",
    namespace: [],
    event_id: `synth:${run_id}:lc||${event}`,
    data: JSON.stringify({ event, graph_name: graph_id, error }),
  });
  return {
    /** Returns undefined when the run had begun before. */
    begin(): UnnumberedEvent[] | undefined {
      if (begun) return undefined;
      begun = true;
      return [emit("running")];
    },
    fail(data: string): UnnumberedEvent[] {
      const parsed = parseJson(data);
      error = isObject(parsed) && typeof parsed.message === "string" ? parsed.message : "The run failed";
      return [];
    },
    end(data: string, waits: boolean): { status: TaskStep["status"]; reason?: string; events: UnnumberedEvent[] } {
      const read = RunEnd.safeParse(parseJson(data));
      switch (read.success ? read.data.status : "error") {
        case "success":
          return waits
            ? { status: "interrupted", events: [emit("interrupted")] }
            : { status: "completed", events: [emit("completed")] };
        case "interrupted":
          return { status: "interrupted", reason: "The run was interrupted", events: [emit("interrupted")] };
        case "timeout":
          error ??= "The run took too long";
          return { status: "failed", reason: error, events: [emit("failed")] };
        case "error":
          error ??= "The run failed";
          return { status: "failed", reason: error, events: [emit("failed")] };
      }
    },
  };
}

/** Returns whether data is the short form of a checkpoint: `{id, parent_id?, step, source}`. */
function isNote(data: string): boolean {
  // The long form repeats the whole state, so it is not parsed.
  if (data.startsWith('{"config":')) return false;
  const note = parseJson(data);
  return isObject(note) && typeof note.id === "string" && !("values" in note);
}

/** Returns the time of a UUID of version 6 in ms since the epoch. It counts units of 100 ns since 1582-10-15. */
function timeOf(note: string): number | undefined {
  const parsed = parseJson(note);
  const match = isObject(parsed) && /^([0-9a-f]{8})-([0-9a-f]{4})-6([0-9a-f]{3})-/.exec(String(parsed.id));
  if (!match) return undefined;
  return Number(BigInt(`0x${match.slice(1).join("")}`) / 10_000n) - 12_219_292_800_000;
}

/** Wraps what a node writes as `{payload}`; `{name, payload}` stays as it is. */
function customOf(data: string): Pick<UnnumberedEvent, "name" | "data"> {
  const written = data.startsWith("{") && data.includes('"name"') ? parseJson(data) : undefined;
  return isObject(written) && typeof written.name === "string"
    ? { name: written.name, data }
    : { data: `{"payload":${data}}` };
}

/** Translates an event of the stream mode `tools` into those of the channel `tools` (docs/api/thread-streams.md#events). */
function toolEvent(data: string): string[] {
  const parsed = parseJson(data);
  if (!isObject(parsed)) return [];
  const of = { tool_call_id: typeof parsed.toolCallId === "string" ? parsed.toolCallId : "" };
  switch (parsed.event) {
    case "on_tool_start":
      return [JSON.stringify({ event: "tool-started", ...of, tool_name: parsed.name ?? "", input: parsed.input })];
    case "on_tool_event":
      return [JSON.stringify({ event: "tool-output-delta", ...of, delta: asText(parsed.data) })];
    case "on_tool_end":
      return [JSON.stringify({ event: "tool-finished", ...of, output: parsed.output ?? null })];
    case "on_tool_error":
      return [JSON.stringify({ event: "tool-error", ...of, message: messageOf(parsed.error) })];
    default:
      return [];
  }
}

const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? ""));

function messageOf(error: unknown): string {
  return isObject(error) && typeof error.message === "string" ? error.message : asText(error ?? "unknown error");
}
