/**
 * The thread streaming protocol (docs/api/thread-streams.md): commands to a thread, and one stream of events of all its
 * runs. Unknown fields are ignored, because clients add fields all the time.
 */
import * as z from "zod";
import { listOf, Members, nullish, QueryList } from "./fields.ts";
import { Command, MultitaskStrategy, RunConfig } from "./runs.ts";

/** `custom` stands for all of its kind, `custom:<name>` for one. A name nobody knows matches nothing. */
export const CHANNELS = [
  "values",
  "updates",
  "messages",
  "tools",
  "lifecycle",
  "input",
  "checkpoints",
  "tasks",
  "custom",
] as const;
export type Channel = (typeof CHANNELS)[number];

/** What an event is called: its channel's name, but for the one event of `input`. */
export type ThreadMethod = Exclude<Channel, "input"> | "input.requested";

const NamespacePrefix = listOf(z.string().max(1_000), 100);

/** Body of `POST /threads/{thread_id}/stream/events`: what of a thread's events to send. */
export const ThreadStreamRequest = z.object({
  channels: listOf(z.string().min(1).max(255), 1_000, 1),
  /** Events below any of these; all when left out or empty. */
  namespaces: nullish(listOf(NamespacePrefix, 1_000)),
  /** How many segments an event may lie below the prefix that it matches. */
  depth: nullish(z.int().min(0)),
  /** Only events with a higher `seq`. */
  since: nullish(z.int().min(0)),
});
export type ThreadStreamRequest = z.infer<typeof ThreadStreamRequest>;

/** An event of a thread. `encodeThreadEvent` puts it into the envelope of docs/api/thread-streams.md#events. */
export interface ThreadEvent {
  /** Grows over all runs of the thread, and is the same at every replay. */
  readonly seq: number;
  /** Unique within the thread for ever, and the same at every replay. */
  readonly event_id: string;
  readonly method: ThreadMethod;
  /** From the root down, segments `node:task-id`; empty for the graph of the run itself. */
  readonly namespace: readonly string[];
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly node?: string;
  /** Of a custom event: what `custom:<name>` asks for. */
  readonly name?: string;
  /** The id that a message began with, in each of its events. */
  readonly message_id?: string;
  /** JSON text on one line. */
  readonly data: string;
}

/** The envelope, around data that is JSON text already. */
export function encodeThreadEvent({ seq, event_id, method, namespace, timestamp, node, data }: ThreadEvent): string {
  const place = `"namespace":${JSON.stringify(namespace)},"timestamp":${timestamp}`;
  const of = node === undefined ? "" : `,"node":${JSON.stringify(node)}`;
  const id = JSON.stringify(event_id);
  return `{"type":"event","event_id":${id},"seq":${seq},"method":"${method}","params":{${place}${of},"data":${data}}}`;
}

/** Body of `POST /threads/{thread_id}/commands`. */
export const ThreadCommand = z.object({
  id: z.int().min(0),
  method: z.string().min(1).max(100),
  params: nullish(Members),
});
export type ThreadCommand = z.infer<typeof ThreadCommand>;

export const RunStartParams = z.object({
  assistant_id: z.string().min(1).max(255),
  input: z.unknown().optional(),
  config: nullish(RunConfig),
  metadata: nullish(Members),
  /** Camel case on the wire. A strategy nobody knows counts as none. */
  multitaskStrategy: MultitaskStrategy.catch("enqueue"),
});
export type RunStartParams = z.infer<typeof RunStartParams>;

const InterruptId = z.string().min(1).max(255);
const Answer = z.object({ interrupt_id: InterruptId, response: z.unknown().optional() });
const AlongsideAnswers = {
  update: Command.shape.update,
  goto: Command.shape.goto,
  config: nullish(RunConfig),
  metadata: nullish(Members),
};

/** One answer or several, which become the same: a list. Where the interrupt was raised says its id. */
export const InputRespondParams = z.union([
  z.object({ responses: listOf(Answer, 1_000, 1), ...AlongsideAnswers }),
  z
    .object({ ...Answer.shape, ...AlongsideAnswers })
    .transform(({ interrupt_id, response, ...rest }) => ({ responses: [{ interrupt_id, response }], ...rest })),
]);
export type InputRespondParams = z.infer<typeof InputRespondParams>;

export const StateGetParams = z.object({
  namespace: nullish(NamespacePrefix).transform((namespace) => namespace ?? []),
  keys: nullish(listOf(z.string())),
});
export type StateGetParams = z.infer<typeof StateGetParams>;

export const GetTreeParams = z.object({ run_id: nullish(z.string()) });
export type GetTreeParams = z.infer<typeof GetTreeParams>;

export type CommandError =
  | "invalid_argument"
  | "unknown_command"
  | "unknown_error"
  | "no_such_run"
  | "no_such_subscription"
  | "no_such_namespace"
  | "no_such_interrupt"
  | "no_such_checkpoint"
  | "permission_denied"
  | "not_supported";

/** Every answer has HTTP status 200: what went wrong with a command is said in the protocol. */
export type CommandResponse =
  | { type: "success"; id: number; result: object; meta: ResponseMeta }
  | { type: "error"; id: number; error: CommandError; message: string; meta: ResponseMeta };

export interface ResponseMeta {
  thread_id?: string;
  /** Events up to this `seq` were there before the command was applied. */
  applied_through_seq?: number;
}

/** Where a namespace stands, as `lifecycle` events and `agent.getTree` say. */
export type AgentStatus = "started" | "running" | "completed" | "failed" | "interrupted";

export interface AgentTree {
  namespace: readonly string[];
  status: AgentStatus;
  graph_name: string;
  children?: AgentTree[];
}

export const ThreadStreamMode = z.enum(["run_modes", "lifecycle", "state_update"]);
export type ThreadStreamMode = z.infer<typeof ThreadStreamMode>;

/** Query of `GET /threads/{thread_id}/stream`, the older way to follow a thread. */
export const ThreadJoinQuery = z.object({
  stream_mode: QueryList.pipe(z.array(ThreadStreamMode).optional()),
  stream_modes: QueryList.pipe(z.array(ThreadStreamMode).optional()),
});
