/** Executes one run: reads the graph's stream, and sends the run's events and exactly one end. */
import { setTimeout as sleep } from "node:timers/promises";
import { isObject } from "../../protocol/json.ts";
import { encodeEndLines } from "../../protocol/worker-lines.ts";
import type { RunOrder } from "../../protocol/worker.ts";
import type { ThreadEnd } from "../../protocol/threads.ts";
import type { RunEnd, RunError } from "../../protocol/stream.ts";
import type { RunContext } from "./context.ts";
import type { RunCheckpointer } from "../checkpoints/checkpointer.ts";
import { readChunks, type ChunkReader } from "./chunks.ts";
import { locationIn, logFailure, toRunError, withoutFolder } from "../failure.ts";
import type { Graph } from "../langgraph.ts";
import { sourceOf } from "../application/load.ts";
import { logAsRun } from "../logging.ts";
import { tooLong } from "../longest.ts";
import { eventLines } from "./event-lines.ts";
import type { EventSink } from "./merging-sink.ts";
import { withOpenTasks } from "./open-tasks.ts";
import { threadEnd } from "./state.ts";
import { runConfig, runInput, runOptions } from "./options.ts";
import { openReading } from "./reading.ts";

/** The tag of LangGraph's internal steps. */
const HIDDEN = "langsmith:hidden";
/** The time within which a graph saves its last checkpoint after its signal was aborted. */
const ABORT_MS = 500;

export interface Execution {
  /** Ends the run as interrupted at once. A node that ignores the signal is left to itself. */
  cancel(): void;
  /** Resolves when the end is sent; never rejects. */
  readonly ended: Promise<void>;
}

export function execute(context: RunContext, order: RunOrder): Execution {
  const { app, channel } = context;
  const { run, token } = order;
  const stop = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let hasEnded = false;
  let isExecuting = true;

  const checkpointer = context.newCheckpointer(order);
  const end = (status: RunEnd["status"], error?: RunError) => {
    if (hasEnded) return;
    hasEnded = true;
    if (status !== "success") stop.abort(new Error("The run has ended"));
    const sendEnd = (thread?: ThreadEnd): void => {
      const lines = encodeEndLines({ run, token, status, error }, thread);
      channel.send(tooLong(lines) ? encodeEndLines({ run, token, status, error }) : lines);
      resolve();
    };
    if (!order.durable) return sendEnd();
    readEnd(context, order, checkpointer, isExecuting ? executed : undefined).then(sendEnd, (readError: unknown) => {
      logFailure(`State of the thread of run ${run} could not be read:`, readError);
      sendEnd();
    });
  };
  const lines = eventLines(order, context.isCrowded);
  const send = (line: string): void => {
    const error = tooLong(line);
    if (error) end("error", error);
    else channel.send(line);
  };
  const sink: EventSink = {
    send(event, data) {
      if (!hasEnded) send(lines.event(event, data));
    },
    sendPiece(template, text) {
      if (!hasEnded) send(lines.piece(template, text));
    },
    get full() {
      return channel.full;
    },
    drained: () => channel.drained(),
  };

  const executed = logAsRun(run, () => streamGraph(context, order, checkpointer, sink, stop.signal))
    .finally(() => (isExecuting = false))
    .then(
      () => end("success"),
      (error: unknown) => {
        if (hasEnded) return;
        logFailure(`Run ${run} of graph ${order.graph} failed:`, error);
        const source = locationIn(app.folder, error);
        end("error", { ...withoutFolder(toRunError(error), app.folder), ...(source && { source }) });
      },
    );
  return { cancel: () => end("interrupted"), ended };
}

/** Returns the state of the thread after the run, however the run ended. A graph that was stopped is `executing` until then. */
async function readEnd(
  { app }: RunContext,
  order: RunOrder,
  checkpointer: RunCheckpointer,
  executing: Promise<void> | undefined,
): Promise<ThreadEnd> {
  if (executing) await Promise.race([executing, sleep(ABORT_MS, undefined, { ref: false })]);
  const { configurable } = runConfig(order);
  const graph = await sourceOf(app, order.graph)({ configurable });
  const threadConfig = { thread_id: configurable?.thread_id as unknown, __pregel_checkpointer: checkpointer };
  return threadEnd(await withOpenTasks(await graph.getState({ configurable: threadConfig }), checkpointer));
}

async function streamGraph(
  context: RunContext,
  order: RunOrder,
  checkpointer: RunCheckpointer,
  sink: EventSink,
  signal: AbortSignal,
): Promise<void> {
  const source = sourceOf(context.app, order.graph);
  const config = runConfig(order);
  const graph = await source(config);
  const transformed = order.notes ? await transformedBy(context.app, graph, order, sink) : undefined;
  const reader = readChunks(order, transformed?.sink ?? sink, context.app.langgraph);
  const reading = openReading();
  const store = context.newStore(order, reading.caughtUp);
  const options = runOptions({ store, checkpointer }, config, order, reader, signal);
  const input = await runInput(context.app.langgraph, order, config, checkpointer);
  const take = order.modes.includes("events") ? eventTaker(order, reader) : reader.take;
  const stream = order.modes.includes("events")
    ? graph.streamEvents(input, { ...options, version: "v2" })
    : await graph.stream(input, options);
  try {
    for await (const item of stream) {
      take(item);
      transformed?.take(item);
      if (reader.overrun) await reading.waitFor(sink.drained());
    }
  } catch (error) {
    reader.fail();
    transformed?.fail(error);
    throw error;
  } finally {
    reader.end();
  }
  await transformed?.end();
  await checkpointer.stored?.();
}

/** Loads the module on demand, because few graphs have transformers. */
async function transformedBy({ langgraph }: RunContext["app"], graph: Graph, order: RunOrder, sink: EventSink) {
  if (!graph.streamTransformers?.length) return undefined;
  const { transformedStream } = await import("./transformers.ts");
  return transformedStream(langgraph, graph, order, sink);
}

/** Unpacks the graph's stream, which LangChain's events carry as those of the root run. All others pass unchanged. */
function eventTaker({ run }: RunOrder, reader: ChunkReader): (event: unknown) => void {
  return (event) => {
    if (!isObject(event)) return;
    const { data, tags } = event;
    if (event.run_id !== run || event.event !== "on_chain_stream") {
      if (!Array.isArray(tags) || !tags.includes(HIDDEN)) reader.takeEvent(event);
    } else if (isObject(data)) reader.take(data.chunk);
  };
}
