/**
 * What host and worker say to each other: JSON lines in both directions over one socket (file descriptor 3 of the
 * worker), so that a worker may be written in any language. The worker's stdout and stderr are the server log.
 */
import type { GraphEntry } from "./config.ts";
import type { GraphDrawing, GraphSchemas } from "./assistants.ts";
import type { JsonObject } from "./json.ts";
import type { Command, RunConfig } from "./runs.ts";
import type { RunEnd, RunError, StreamMode } from "./stream.ts";

/** Everything a worker needs to execute one run. */
export interface RunOrder {
  run: string;
  /** Fencing token of the claim; it comes back with every event, and a stale one is refused. */
  token: number;
  graph: string;
  input: unknown;
  command?: Command;
  config: RunConfig;
  context?: JsonObject;
  modes: StreamMode[];
  subgraphs: boolean;
  interruptBefore?: "*" | string[];
  interruptAfter?: "*" | string[];
}

export type HostMessage =
  /** First message: where the application lies and which graphs to load. Answered by `ready`. */
  | { type: "load"; folder: string; graphs: Record<string, GraphEntry> }
  | ({ type: "run" } & RunOrder)
  /** Abort a run; answered by its `end` with status `interrupted`. */
  | { type: "cancel"; run: string }
  | { type: "describe"; id: number; graph: string; what: "drawing"; xray: boolean | number }
  | { type: "describe"; id: number; graph: string; what: "schemas" }
  | { type: "ping"; id: number }
  /** Finish what runs and exit with code 0. */
  | { type: "shutdown" };

/** How loading one graph went. `error` names no path outside the application; the stack is in the server log. */
export interface LoadedGraph {
  graph: string;
  error?: RunError;
}

/**
 * `data` is the last key of an `event` line and the keys before it are scalars, so that the host can cut the payload
 * out of the line without parsing it: it is everything between the first `,"data":` and the closing brace.
 */
export type WorkerMessage =
  | { type: "ready"; graphs: LoadedGraph[]; langgraph: string }
  | { type: "event"; run: string; token: number; event: string; data: unknown }
  | { type: "end"; run: string; token: number; status: RunEnd["status"]; error?: RunError }
  | { type: "described"; id: number; drawing: GraphDrawing }
  | { type: "described"; id: number; schemas: GraphSchemas }
  | { type: "described"; id: number; error: RunError }
  /** `memory` in bytes (resident). */
  | { type: "pong"; id: number; memory: number };

/** The two forms a line from a worker takes at the host: an event with its payload unparsed, or a parsed message. */
export type WorkerLine =
  | { type: "event"; run: string; token: number; event: string; data: string }
  | Exclude<WorkerMessage, { type: "event" }>;

const DATA_KEY = ',"data":';

/** `data` is JSON text already. */
export function encodeEventLine(run: string, token: number, event: string, data: string): string {
  return `{"type":"event","run":${JSON.stringify(run)},"token":${token},"event":${JSON.stringify(event)}${DATA_KEY}${data}}\n`;
}

/** A quote inside a JSON string is escaped, so the first `,"data":` of an event line stands outside of any string. */
export function decodeWorkerLine(line: string): WorkerLine {
  if (line.startsWith('{"type":"event"')) {
    const cut = line.indexOf(DATA_KEY);
    if (cut < 0) throw new SyntaxError("event line without data");
    const head = fromWorker<{ run: string; token: number; event: string }>(`${line.slice(0, cut)}}`);
    return {
      type: "event",
      run: head.run,
      token: head.token,
      event: head.event,
      data: line.slice(cut + DATA_KEY.length, -1),
    };
  }
  return fromWorker(line);
}

/**
 * What a worker says is trusted to have the shape of the contract: it runs the platform's own `lib/worker`. A message
 * that has not hurts only the deployment whose worker sent it.
 */
function fromWorker<T>(text: string): T {
  return JSON.parse(text) as T;
}
