/**
 * Runs the stream transformers of a graph (`compile({ transformers })`). They see the run in LangGraph's streaming
 * protocol. What they send becomes `custom` events with a name, and so reaches `thread.extensions` of clients.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isObject } from "../../protocol/json.ts";
import { dataOfPiece } from "../../protocol/piece-lines.ts";
import { foldRun } from "../../rules/thread-stream/fold.ts";
import { logFailure } from "../failure.ts";
import type { StreamTransformer } from "@langchain/langgraph";
import type { Graph, LangGraph } from "../langgraph.ts";
import type { EventSink } from "./merging-sink.ts";
import { isList } from "../message.ts";
import { jsonOf } from "../plain.ts";
import { isoTime } from "../../protocol/iso-time.ts";

export interface TransformedStream {
  /** Forwards the run's events, and shows their messages to the transformers in the protocol's own form. */
  readonly sink: EventSink;
  /** Shows the transformers one item of the graph's stream. */
  take(item: unknown): void;
  /** Ends the stream of a graph that succeeded. Resolves when the transformers have sent what they hold back. */
  end(): Promise<void>;
  fail(error: unknown): void;
}

/** The time for which a run waits for the last value that a transformer may promise. */
const LAST_VALUES_MS = 10_000;

/** The protocol's methods. Any other is an extension: `custom:<name>`, or a bare name in older releases. */
const PROTOCOL: ReadonlySet<string> = new Set(
  "values updates messages tools custom tasks checkpoints debug lifecycle input".split(" "),
);

/** Returns undefined for a graph without transformers that send anything to clients. */
export function transformedStream(
  { createGraphRunStream, isNativeTransformer }: LangGraph,
  graph: Graph,
  { run, graph: name }: { run: string; graph: string },
  to: EventSink,
): TransformedStream | undefined {
  const factories: readonly (() => StreamTransformer)[] = graph.streamTransformers;
  // Native transformers serve the process in which they run: `run.toolCalls` and the like.
  const transformers = factories.map((create) => create()).filter((one) => !isNativeTransformer?.(one));
  if (!createGraphRunStream || transformers.length === 0) return undefined;
  const { items, show, close } = openItems();
  const shown = new WeakSet<object>();
  const again = transformers.map((transformer) => () => transformer);
  const events = createGraphRunStream(items, again);
  const sent = sendExtensions(events, shown, to).catch((error: unknown) => {
    logFailure(`A stream transformer of graph ${name} failed:`, error);
  });
  const frames = messageFrames(run, name);
  const showEvent = (event: string, data: string): void => {
    for (const item of frames(event, data)) show(item);
  };
  return {
    sink: {
      send(event, data) {
        to.send(event, data);
        showEvent(event, data);
      },
      sendPiece(template, text) {
        to.sendPiece(template, text);
        showEvent(template.event, dataOfPiece(template, text));
      },
      get full() {
        return to.full;
      },
      drained: () => to.drained(),
    },
    take(item) {
      if (!isItem(item) || item[1] === "messages") return;
      if (item[1] === "custom" && isObject(item[2])) shown.add(item[2]);
      show(item);
    },
    async end() {
      close();
      const late = sleep(LAST_VALUES_MS, "late" as const, { ref: false });
      if ((await Promise.race([sent, late])) === "late")
        logFailure(`A stream transformer of graph ${name} gave no last value within ${LAST_VALUES_MS / 1000} s`);
    },
    fail: (error) => close(error ?? new Error("The run failed")),
  };
}

/** Checks the form of an item, which always names its graph: the graph was asked for that. */
function isItem(item: unknown): item is StreamItem {
  return isList(item) && item.length === 3;
}

/** Opens the stream of items for the transformers, until one of them fails. */
function openItems() {
  let controller: ReadableStreamDefaultController<StreamItem> | undefined;
  const items = new ReadableStream<StreamItem>({
    start: (opened) => void (controller = opened),
    cancel: () => void (controller = undefined),
  });
  return {
    items,
    show: (item: StreamItem): void => controller?.enqueue(item),
    close: (error?: unknown): void => (error === undefined ? controller?.close() : controller?.error(error)),
  };
}

type CreateRunStream = NonNullable<LangGraph["createGraphRunStream"]>;
type RunStream = ReturnType<CreateRunStream>;
/** The namespace, mode and payload of one item. */
type StreamItem = Parameters<CreateRunStream>[0] extends AsyncIterable<infer I> ? I : never;

/** Sends extensions. `shown` holds what nodes wrote themselves: it returns here, but was sent before. */
async function sendExtensions(events: RunStream, shown: WeakSet<object>, to: EventSink): Promise<void> {
  for await (const { method, params } of events) {
    const { namespace, data } = params;
    const send = (name: string, payload: unknown) =>
      to.send(["custom", ...namespace].join("|"), jsonOf({ name, payload }));
    if (!PROTOCOL.has(method)) send(method.replace(/^custom:/, ""), data);
    else if (method === "custom" && isObject(data) && !shown.has(data) && typeof data.name === "string")
      send(data.name, data.payload);
  }
}

/** Turns the run's message events into the items of LangGraph's protocol. */
function messageFrames(run: string, graph: string): (event: string, data: string) => StreamItem[] {
  const fold = foldRun({ run_id: run, graph_id: graph, position: 0, created_at: isoTime(Date.now()) });
  let id = 0;
  return (event, data) =>
    fold
      .take({ id: id++, event, data })
      .filter(({ method }) => method === "messages")
      .map(({ namespace, node, data: frame }): StreamItem => {
        const about = node === undefined ? {} : { langgraph_node: node };
        return [[...namespace], "messages", [JSON.parse(frame) as unknown, about]];
      });
}
