/** Runs small graphs, and makes the events of their runs as the worker does. */
import { InMemoryCache, MemorySaver } from "@langchain/langgraph-checkpoint";
import * as langgraph from "@langchain/langgraph";
import { GraphDrawing } from "../../../lib/protocol/assistants.ts";
import { dataOfPiece } from "../../../lib/protocol/piece-lines.ts";
import type { StreamMode } from "../../../lib/protocol/stream.ts";
import type { StateHead } from "../../../lib/rules/studio/state-heads.ts";
import type { ParsedEvent } from "../../../lib/rules/threads/transcript.ts";
import { positionOf } from "../../../lib/worker/checkpoints/payload.ts";
import { jsonOf } from "../../../lib/worker/plain.ts";
import { readChunks } from "../../../lib/worker/runs/chunks.ts";
import { FIRST_INPUT, type GraphName, graphs } from "./real-graphs.ts";

export const STUDIO_MODES: readonly StreamMode[] = ["debug", "messages-tuple", "custom"];

export interface RealRun {
  readonly events: ParsedEvent[];
  /** The thread's states afterwards, newest first, in the form of the API. */
  readonly history: StateHead[];
}

export interface RunSettings {
  modes?: readonly StreamMode[];
  subgraphs?: boolean;
  saver?: MemorySaver;
  cache?: InMemoryCache;
  /** The id of the run. */
  run?: string;
  input?: unknown;
  interruptBefore?: string[];
  /** The id of the checkpoint to go on from. */
  checkpoint?: string;
}

/** Adds the run to the metadata of checkpoints, as the worker's checkpointer does. */
function namingSaver(saver: MemorySaver, run: string): MemorySaver {
  const naming: MemorySaver = Object.create(saver);
  naming.put = (config, checkpoint, metadata) =>
    saver.put(config, checkpoint, Object.assign({ run_id: run }, metadata));
  return naming;
}

/** Runs a graph as the worker does. The events are those of the wire, from `metadata` to `end`. */
export async function runGraph(
  name: GraphName,
  {
    modes = STUDIO_MODES,
    subgraphs = true,
    saver = new MemorySaver(),
    cache,
    run = "run",
    checkpoint,
    input,
    interruptBefore,
  }: RunSettings = {},
): Promise<RealRun> {
  const graph = graphs[name]().compile({ checkpointer: namingSaver(saver, run), ...(cache && { cache }) });
  const events: ParsedEvent[] = [];
  const put = (event: string, data: unknown) => void events.push({ id: events.length, event, data });
  put("metadata", { run_id: run, attempt: 1 });
  const reader = readChunks(
    { modes: [...modes], subgraphs, notes: false },
    {
      send: (event, data) => put(event, JSON.parse(data)),
      sendPiece: (template, text) => put(template.event, JSON.parse(dataOfPiece(template, text))),
      full: false,
      drained: () => Promise.resolve(),
    },
    { interruptsInValues: "isInterrupted" in langgraph },
  );
  const config = { configurable: { thread_id: "thread" } };
  const position = checkpoint === undefined ? {} : { checkpoint_id: checkpoint };
  let status = "success";
  try {
    const stream = await graph.stream((input === undefined ? FIRST_INPUT[name] : input) as never, {
      configurable: { ...config.configurable, ...position },
      streamMode: reader.modes,
      subgraphs,
      ...(interruptBefore && { interruptBefore: interruptBefore as never }),
      ...(reader.callbacks && { callbacks: reader.callbacks }),
    });
    for await (const item of stream) reader.take(item);
    reader.end();
  } catch (error) {
    reader.fail();
    reader.end();
    status = "error";
    put("error", { error: (error as Error).name, message: (error as Error).message });
  }
  put("end", { status });
  const history: unknown[] = [];
  for await (const state of graph.getStateHistory(config)) history.push(plainState(state));
  return { events, history: JSON.parse(jsonOf(history)) as StateHead[] };
}

function plainState(state: langgraph.StateSnapshot): unknown {
  return {
    values: state.values,
    next: state.next,
    tasks: state.tasks.map(({ id, name, path, interrupts, error, result }) => ({
      id,
      name,
      path: path ?? [],
      error: error ?? null,
      interrupts,
      checkpoint: null,
      state: null,
      result: result ?? null,
    })),
    metadata: state.metadata ?? null,
    created_at: state.createdAt ?? null,
    checkpoint: positionOf(state.config),
    parent_checkpoint: positionOf(state.parentConfig),
  };
}

/** The drawing of a graph with this many levels of subgraphs, as the API returns it. */
export async function drawGraph(name: GraphName, xray = 9): Promise<GraphDrawing> {
  const drawing = await graphs[name]().compile().getGraphAsync({ xray });
  return GraphDrawing.parse(JSON.parse(JSON.stringify(drawing.toJSON())));
}
