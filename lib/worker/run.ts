/** Executes one run: the graph's stream in, the run's events and exactly one end out. */
import { isObject } from "../protocol/json.ts";
import { encodeEventLine, type RunOrder } from "../protocol/worker.ts";
import type { RunEnd, RunError } from "../protocol/stream.ts";
import type { Channel } from "./channel.ts";
import { readChunks, type ChunkReader } from "./chunks.ts";
import { logFailure, toRunError, withoutFolder } from "./failure.ts";
import { type Application, sourceOf } from "./load.ts";
import type { EventSink } from "./merging-sink.ts";
import { runConfig, runInput, runOptions, type RunResources } from "./run-options.ts";

/** Tag of what LangGraph does for itself. */
const HIDDEN = "langsmith:hidden";

/** What all runs of a process share. */
export interface RunContext extends RunResources {
  readonly app: Application;
  readonly channel: Channel;
}

export interface Execution {
  /** Ends the run as interrupted, now: a node that does not listen to the signal is left to itself. */
  cancel(): void;
  /** Resolves when the end was sent; never rejects. */
  readonly ended: Promise<void>;
}

export function execute(context: RunContext, order: RunOrder): Execution {
  const { app, channel } = context;
  const { run, token } = order;
  const stop = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let over = false;

  const end = (status: RunEnd["status"], error?: RunError) => {
    if (over) return;
    over = true;
    channel.send(`${JSON.stringify({ type: "end", run, token, status, error })}\n`);
    if (status !== "success") stop.abort(new Error("The run has ended"));
    resolve();
  };
  const head = headOfLines(run, token);
  const sink: EventSink = {
    send(event, data) {
      if (!over) channel.send(`${head(event)}${data}}\n`);
    },
    get full() {
      return channel.full;
    },
    drained: () => channel.drained(),
  };

  streamGraph(context, order, sink, stop.signal).then(
    () => end("success"),
    (error: unknown) => {
      if (over) return;
      logFailure(`Run ${run} of graph ${order.graph} failed:`, error);
      end("error", withoutFolder(toRunError(error), app.folder));
    },
  );
  return { cancel: () => end("interrupted"), ended };
}

/** What stands before the data of an event line, made once for each name. */
function headOfLines(run: string, token: number): (event: string) => string {
  const heads = new Map<string, string>();
  return (event) => {
    const head = heads.get(event) ?? encodeEventLine(run, token, event, "").slice(0, -"}\n".length);
    heads.set(event, head);
    return head;
  };
}

async function streamGraph(context: RunContext, order: RunOrder, sink: EventSink, signal: AbortSignal): Promise<void> {
  const source = sourceOf(context.app, order.graph);
  const reader = readChunks(order, sink);
  const config = runConfig(order);
  const graph = await source(config);
  const options = runOptions(context, config, order, reader, signal);
  const input = runInput(context.app.langgraph, order);
  const take = order.modes.includes("events") ? eventTaker(order, reader) : reader.take;
  const stream = order.modes.includes("events")
    ? graph.streamEvents(input, { ...options, version: "v2" })
    : await graph.stream(input, options);
  try {
    for await (const item of stream) {
      take(item);
      if (reader.overrun) await sink.drained();
    }
  } catch (error) {
    reader.fail();
    throw error;
  } finally {
    reader.end();
  }
}

/** LangChain's events hold what the graph streams as those of the root run; the others are told as they are. */
function eventTaker({ run }: RunOrder, reader: ChunkReader): (event: unknown) => void {
  return (event) => {
    if (!isObject(event)) return;
    const { data, tags } = event;
    if (event.run_id !== run || event.event !== "on_chain_stream") {
      if (!Array.isArray(tags) || !tags.includes(HIDDEN)) reader.takeEvent(event);
    } else if (isObject(data)) reader.take(data.chunk);
  };
}
