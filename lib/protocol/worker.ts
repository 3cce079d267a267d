/**
 * Messages between host and worker: JSON lines in both directions over one socket (file descriptor 3 of the worker), so
 * that a worker may be written in any language. The worker's stdout and stderr are the server log.
 */
import type { RequestOrigin, HostRequest } from "./host-requests.ts";
import type { AppLine, AppMessage } from "./app-routes.ts";
import type { CheckpointChange } from "./checkpoints.ts";
import type { GuardAnswer, GuardQuestion, Guards } from "./auth.ts";
import type { GraphEntry } from "./config.ts";
import type { GraphDrawing, GraphSchemas, Subgraphs } from "./assistants.ts";
import type { JsonObject } from "./json.ts";
import type { Command, Durability, RunConfig } from "./runs.ts";
import type { Superstep, ThreadEnd } from "./threads.ts";
import type { RunEnd, RunError, StreamMode } from "./stream.ts";

/** All that a worker needs to execute one run. */
export interface RunOrder {
  run: string;
  /** Fencing token of the claim. The worker returns it with every event, and the host refuses a stale one. */
  token: number;
  graph: string;
  input: unknown;
  command?: Command;
  config: RunConfig;
  context?: JsonObject;
  /**
   * True if the run continues the thread `config.configurable.thread_id`. The host then stores its checkpoints, and
   * `end` contains the thread's state.
   */
  durable?: boolean;
  /**
   * Id of the thread's newest checkpoint when the run was claimed; null if the thread has none. Absent if the worker has to
   * ask, because there are writes after the checkpoint, or may be.
   */
  head?: string | null;
  /** Number of the attempt, from 1. A retry of a durable run continues from its last checkpoint. */
  attempt?: number;
  /** Durability of a durable run; `async` by default. */
  durability?: Durability;
  modes: StreamMode[];
  subgraphs: boolean;
  /** True to emit a short note of each checkpoint before the values of its step: `{id, parent_id?, step, source}`. */
  notes?: boolean;
  interruptBefore?: "*" | string[];
  interruptAfter?: "*" | string[];
}

/** A request about a thread's state. `configurable` names thread and checkpoint in LangGraph's spelling. */
export type StateQuestion = { graph: string; configurable: JsonObject } &
  /**
   * `select`: the members of each state that are sent, because a page of large states would be too long a line.
   * `valueLimit`: what `value_limit` of docs/api/runs.md#state-and-history is.
   */
  (
    | { do: "get"; subgraphs: boolean; select?: readonly string[]; valueLimit?: number }
    | {
        do: "history";
        limit: number;
        before?: string;
        filter?: JsonObject;
        select?: readonly string[];
        valueLimit?: number;
      }
    | { do: "update"; values: unknown; asNode?: string }
    | { do: "supersteps"; supersteps: Superstep[] }
  );

/** The answer to a manual change of a thread's state. */
export interface StateChanged {
  checkpoint: JsonObject;
  thread: ThreadEnd;
}

/** Access of the application's own code to its deployment's API. */
export interface Home {
  /** Base URL without a trailing slash. */
  url: string;
  /** Credential for this deployment only. Workers never get the server's key. */
  pass: string;
}

/** Header that carries `Home.pass`. */
export const PASS_HEADER = "x-graphlib-pass";

/** Location of an application's code: files in its folder, each with the name of an export. */
export interface ApplicationCode {
  folder: string;
  /** Root of the source that contains the folder; absent when it is served in place. */
  root?: string;
  graphs: Record<string, GraphEntry>;
  auth?: string;
  app?: string;
  /** Folder with the code that its build compiled. */
  compiled?: string;
}

/** JSON Schemas of a graph's input, output, state and context, derived from the types in the application's sources. */
export interface SourceTypes {
  input?: JsonObject;
  output?: JsonObject;
  state?: JsonObject;
  context?: JsonObject;
  /** Schemas of its subgraphs, keyed by namespace: `child|inner`. */
  inside?: Record<string, SourceTypes>;
}

/** The graphs whose schemas are completed by the types in their sources. Reading these takes about a second. */
export type TypedGraphs = "all" | "without messages" | "none";

export type HostMessage =
  /** Loads the application. It is the first message and is answered by `ready`. */
  | ({ type: "load" } & ApplicationCode)
  /** Sets the access to the API. It is sent at the start, and again once the server listens. */
  | ({ type: "home" } & Home)
  | ({ type: "run" } & RunOrder)
  /** Aborts a run, which is answered by its `end` with status `interrupted`. */
  | { type: "cancel"; run: string }
  | { type: "describe"; id: number; graph: string; what: "drawing"; xray: boolean | number }
  | { type: "describe"; id: number; graph: string; what: "schemas"; typed: TypedGraphs; types?: SourceTypes }
  /** Answered by `stated`. The graph's own requests meanwhile carry the run id `requester` and token 0. */
  | ({ type: "state"; id: number; requester: string } & StateQuestion)
  /** Requests subgraphs. `namespace` is node names joined by `|`; absent: all subgraphs. */
  | {
      type: "describe";
      id: number;
      graph: string;
      what: "subgraphs";
      namespace?: string;
      recurse: boolean;
      types?: SourceTypes;
    }
  /** Requests vectors, answered by `embedded`. `by` is `store.index.embed` of the configuration. */
  | { type: "embed"; id: number; by: string; of: "items" | "query"; texts: string[] }
  /** Calls the authentication module, answered by `guarded`. */
  | ({ type: "guard"; id: number } & GuardQuestion)
  | AppMessage
  | { type: "ping"; id: number }
  /** Answers an `ask`. The kind of request determines the type of `value`. */
  | { type: "answer"; id: number; value: unknown }
  | { type: "answer"; id: number; error: RunError }
  /** A change that a run had told could not be stored. */
  | ({ type: "refused"; error: RunError } & RequestOrigin)
  /** Makes the worker finish its runs and exit with code 0. */
  | { type: "shutdown" };

/** The result of loading a graph. `error` contains no path outside the application; the stack is in the server log. */
export interface LoadedGraph {
  graph: string;
  error?: RunError;
  /** File that threw the error, if known, relative to the application's folder. */
  file?: string;
  line?: number;
}

/** The result of loading the application's own routes. */
export interface LoadedApp {
  error?: RunError;
}

/** The handlers of the application's authentication, or the error that loading it threw. */
export type LoadedAuth = Guards | { error: RunError };

/** The end of a run. `thread` is the state of a durable run's thread. */
export interface RunEnded extends RunEnd {
  type: "end";
  run: string;
  token: number;
  error?: RunError;
  thread?: Omit<ThreadEnd, "values">;
}

/** The types of the answers to the host's questions. */
export type AnswerType = "described" | "stated" | "embedded" | "guarded";

/**
 * `data` is the last key of an `event` or `values` line, and the keys before it are scalars. So the host can extract
 * the payload without parsing it: it is the text between the first `,"data":` and the closing brace.
 */
export type WorkerMessage =
  /** `auth` is present if the application has an authentication module. */
  | { type: "ready"; graphs: LoadedGraph[]; langgraph: string; auth?: LoadedAuth; app?: LoadedApp }
  | { type: "event"; run: string; token: number; event: string; data: unknown }
  /**
   * An event whose data is `before`, the JSON of `text`, and `after`. A piece without them has those of the run's piece before.
   * `text` is the last key, and the keys before it are strings and numbers.
   */
  | { type: "piece"; run: string; token: number; event?: string; before?: string; after?: string; text: string }
  /** Values of the thread's state, sent just before `end`. */
  | { type: "values"; run: string; token: number; data: unknown }
  | RunEnded
  | { type: "described"; id: number; drawing: GraphDrawing }
  /** `wantsTypes`: the types in the sources would add information, but the worker must not read them itself. */
  | { type: "described"; id: number; schemas: GraphSchemas; wantsTypes?: boolean }
  | { type: "described"; id: number; subgraphs: Subgraphs; wantsTypes?: boolean }
  /** `answer` is a `ThreadState` for `get`, a list of them for `history`, and a `StateChanged` for all others. */
  | { type: "stated"; id: number; answer: unknown }
  /** One vector for each text, in the same order. */
  | { type: "embedded"; id: number; vectors: number[][] }
  | AppLine
  | { type: "guarded"; id: number; answer: GuardAnswer }
  /** The question failed. The error of an authentication module is not meant for callers. */
  | { type: AnswerType; id: number; error: RunError }
  /** A request of a graph, answered by `answer`. It is refused when its token is stale. */
  | ({ type: "ask"; id: number; ask: HostRequest } & RequestOrigin)
  /**
   * A change of a run's checkpoints that is not answered. The run fails if one of them could not be stored before its end;
   * the worker learns it by `refused`. All bases of a put must be stored, or put before it.
   */
  | ({ type: "tell"; tell: CheckpointChange } & RequestOrigin)
  | { type: "pong"; id: number };
