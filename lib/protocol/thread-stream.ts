/**
 * The thread streaming protocol (docs/api/thread-streams.md): commands to a thread, and one stream of events of all its
 * runs. Unknown fields are ignored, because clients add fields all the time.
 */
import * as z from "zod";
import { listOf, Members, nullish, QueryList } from "./fields.ts";
import { Command, MultitaskStrategy, RunConfig } from "./runs.ts";

/** Channels of events. `custom` means all custom events, `custom:<name>` those of a name. Unknown names match none. */
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

/** Name of an event: that of its channel, except for the only event of `input`. */
export type ThreadMethod = Exclude<Channel, "input"> | "input.requested";

const NamespacePrefix = listOf(z.string().max(1_000), 100);

/** Body of `POST /threads/{thread_id}/stream/events`: the selection of events to send. */
export const ThreadStreamRequest = z.object({
  channels: listOf(z.string().min(1).max(255), 1_000, 1),
  /** Prefixes of namespaces, one of which must match; absent or empty: all namespaces. */
  namespaces: nullish(listOf(NamespacePrefix, 1_000)),
  /** The most segments by which an event's namespace may exceed the matching prefix. */
  depth: nullish(z.int().min(0)),
  /** Exclusive lower bound of `seq`. */
  since: nullish(z.int().min(0)),
});
export type ThreadStreamRequest = z.infer<typeof ThreadStreamRequest>;

/** An event of a thread. `encodeThreadEvent` puts it into the envelope of docs/api/thread-streams.md#events. */
export interface ThreadEvent {
  /** Number that increases across all runs of the thread and is the same at every replay. */
  readonly seq: number;
  /** Id that is unique within the thread and the same at every replay. */
  readonly event_id: string;
  readonly method: ThreadMethod;
  /** Segments `node:task-id` from the root down; empty for the run's own graph. */
  readonly namespace: readonly string[];
  /** Time in ms since the epoch. */
  readonly timestamp: number;
  readonly node?: string;
  /** Name of a custom event, as in the channel `custom:<name>`. */
  readonly name?: string;
  /** Id with which a message started, in each of its events. */
  readonly message_id?: string;
  /** JSON text on one line. */
  readonly data: string;
}

/** Encodes the envelope of an event whose data is JSON text already. */
export function encodeThreadEvent({ seq, event_id, method, namespace, timestamp, node, data }: ThreadEvent): string {
  const position = `"namespace":${JSON.stringify(namespace)},"timestamp":${timestamp}`;
  const origin = node === undefined ? "" : `,"node":${JSON.stringify(node)}`;
  const params = `{${position}${origin},"data":${data}}`;
  return `{"type":"event","event_id":${JSON.stringify(event_id)},"seq":${seq},"method":"${method}","params":${params}}`;
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
  /** The name is camel case on the wire. An unknown strategy counts as absent. */
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

/** One answer or several, normalized to a list. An answer refers to its interrupt by id. */
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

/** Response to a command. Its HTTP status is always 200; errors are reported in the body. */
export type CommandResponse =
  | { type: "success"; id: number; result: object; meta: ResponseMeta }
  | { type: "error"; id: number; error: CommandError; message: string; meta: ResponseMeta };

export interface ResponseMeta {
  thread_id?: string;
  /** `seq` of the last event before the command was applied. */
  applied_through_seq?: number;
}

/** Status of a namespace in `lifecycle` events and `agent.getTree`. */
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
