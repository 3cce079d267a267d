/**
 * What host and worker say to each other: JSON lines in both directions over one socket (file descriptor 3 of the
 * worker), so that a worker may be written in any language. The worker's stdout and stderr are the server log.
 */
import type { Asker, HostAsk } from "./ask.ts";
import type { AppLine, AppMessage } from "./app-routes.ts";
import type { GuardAnswer, GuardQuestion, Guards } from "./auth.ts";
import type { GraphEntry } from "./config.ts";
import type { GraphDrawing, GraphSchemas, Subgraphs } from "./assistants.ts";
import type { JsonObject } from "./json.ts";
import type { Command, Durability, RunConfig } from "./runs.ts";
import type { Superstep, ThreadEnd } from "./threads.ts";
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
  /** The run goes on with the thread `config.configurable.thread_id`: its checkpoints are kept by the host, and its end tells how the thread stands. */
  durable?: boolean;
  /** From 1. A durable run that is begun again goes on from its last checkpoint. */
  attempt?: number;
  /** Of a durable run; `async` when left out. */
  durability?: Durability;
  modes: StreamMode[];
  subgraphs: boolean;
  /** Tell short notes of checkpoints, each before the values of its step: `{id, parent_id?, step, source}`. */
  notes?: boolean;
  interruptBefore?: "*" | string[];
  interruptAfter?: "*" | string[];
}

/** What is asked of a thread's state; `configurable` names thread and checkpoint in LangGraph's spelling. */
export type StateQuestion = { graph: string; configurable: JsonObject } & (
  | { do: "get"; subgraphs: boolean }
  | { do: "history"; limit: number; before?: string; filter?: JsonObject }
  | { do: "update"; values: unknown; asNode?: string }
  | { do: "supersteps"; supersteps: Superstep[] }
);

/** What changes of a state by hand answer. */
export interface StateChanged {
  checkpoint: JsonObject;
  thread: ThreadEnd;
}

/** Where the application's own code reaches its deployment's API. */
export interface Home {
  /** Without a final slash. */
  url: string;
  /** Lets a request in at this one deployment, in place of the server's key, which no worker has. */
  pass: string;
}

/** Header that carries `Home.pass`. */
export const PASS_HEADER = "x-graphlib-pass";

/** Where an application's code lies: files in its folder, each with the name of an export. */
export interface ApplicationCode {
  folder: string;
  /** The root of the source that the folder lies in; left out where it is served in place. */
  root?: string;
  graphs: Record<string, GraphEntry>;
  auth?: string;
  app?: string;
  /** Folder of what its build compiled ahead. */
  compiled?: string;
}

/** JSON Schemas that an application's sources tell of a graph: of what goes in, comes out, is kept, and is given beside. */
export interface SourceTypes {
  input?: JsonObject;
  output?: JsonObject;
  state?: JsonObject;
  context?: JsonObject;
  /** The same of the graphs inside of it, by namespace: `child|inner`. */
  inside?: Record<string, SourceTypes>;
}

export type HostMessage =
  /** First message. Answered by `ready`. */
  | ({ type: "load" } & ApplicationCode)
  /** At the start, and again when the server has come to listen. */
  | ({ type: "home" } & Home)
  | ({ type: "run" } & RunOrder)
  /** Abort a run; answered by its `end` with status `interrupted`. */
  | { type: "cancel"; run: string }
  | { type: "describe"; id: number; graph: string; what: "drawing"; xray: boolean | number }
  /** `quick` leaves out what only the application's sources tell, of a graph whose input has messages. */
  | { type: "describe"; id: number; graph: string; what: "schemas"; quick?: boolean; types?: SourceTypes }
  /** Answered by `stated`; what it asks meanwhile it asks as the run `asker`, token 0. */
  | ({ type: "state"; id: number; asker: string } & StateQuestion)
  /** `namespace`: node names joined by `|`; of all graphs inside when left out. */
  | {
      type: "describe";
      id: number;
      graph: string;
      what: "subgraphs";
      namespace?: string;
      recurse: boolean;
      types?: SourceTypes;
    }
  /** Answered by `embedded`. `by` is `store.index.embed` of the configuration. */
  | { type: "embed"; id: number; by: string; of: "items" | "query"; texts: string[] }
  /** Answered by `guarded`. */
  | ({ type: "guard"; id: number } & GuardQuestion)
  | AppMessage
  | { type: "ping"; id: number }
  /** Answers an `ask`. `value` is what the kind of question promises. */
  | { type: "answer"; id: number; value: unknown }
  | { type: "answer"; id: number; error: RunError }
  /** Finish what runs and exit with code 0. */
  | { type: "shutdown" };

/** How loading one graph went. `error` names no path outside the application; the stack is in the server log. */
export interface LoadedGraph {
  graph: string;
  error?: RunError;
  /** Where in the application that was thrown, where it is known; from the application's folder. */
  file?: string;
  line?: number;
}

/** Whether the application's own routes loaded. */
export interface LoadedApp {
  error?: RunError;
}

/** The application's authentication, or why it did not load. */
export type LoadedAuth = Guards | { error: RunError };

/** `thread` of a durable run: how its thread stands now. */
export interface RunEnded extends RunEnd {
  type: "end";
  run: string;
  token: number;
  error?: RunError;
  thread?: Omit<ThreadEnd, "values">;
}

/**
 * `data` is the last key of an `event` or `values` line and the keys before it are scalars, so that the host can cut the
 * payload out of the line without parsing it: it is everything between the first `,"data":` and the closing brace.
 */
export type WorkerMessage =
  /** `auth` when there is a module for that. */
  | { type: "ready"; graphs: LoadedGraph[]; langgraph: string; auth?: LoadedAuth; app?: LoadedApp }
  | { type: "event"; run: string; token: number; event: string; data: unknown }
  /** Of the thread that the `end` after it tells of. */
  | { type: "values"; run: string; token: number; data: unknown }
  | RunEnded
  | { type: "described"; id: number; drawing: GraphDrawing }
  /** `wantsTypes`: the worker may not read the sources' types itself, and they would say more. */
  | { type: "described"; id: number; schemas: GraphSchemas; wantsTypes?: boolean }
  | { type: "described"; id: number; subgraphs: Subgraphs; wantsTypes?: boolean }
  | { type: "described"; id: number; error: RunError }
  /** Of a `get` a `ThreadState`, of a `history` a list of them, of the others a checkpoint and how the thread stands. */
  | { type: "stated"; id: number; answer: unknown }
  | { type: "stated"; id: number; error: RunError }
  /** One vector a text, in their order. */
  | { type: "embedded"; id: number; vectors: number[][] }
  | { type: "embedded"; id: number; error: RunError }
  | AppLine
  | { type: "guarded"; id: number; answer: GuardAnswer }
  /** The module failed: nothing of it is for callers. */
  | { type: "guarded"; id: number; error: RunError }
  /** Answered by `answer`; refused when the asker's token is stale. */
  | ({ type: "ask"; id: number; ask: HostAsk } & Asker)
  | { type: "pong"; id: number };
