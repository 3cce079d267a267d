/** Wraps the official clients of both generations in one interface. Results have the terms of v0.3. */
import {
  type AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from "@a2a-js/sdk";
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import type { MessageSendParams } from "a2a-sdk-v03";
import { ClientFactory as ClientFactory03 } from "a2a-sdk-v03/client";

export interface Understood {
  id: string;
  contextId: string;
  state: string;
  /** First part of the first artifact. */
  reply?: string | object;
  /** Text of the status message. */
  says?: string;
}

export interface Event {
  kind: "task" | "status" | "artifact";
  state?: string;
  text?: string;
  append?: boolean;
  lastChunk?: boolean;
}

/** The context and task that a message belongs to. */
export interface Place {
  contextId?: string;
  taskId?: string;
}

/** Text, or an object as a data part. */
export type Said = string | Record<string, unknown>;

export interface Caller {
  send(said: Said, place?: Place): Promise<Understood>;
  /** Sends without waiting for the task to rest. */
  begin(said: Said): Promise<Understood>;
  stream(said: Said, place?: Place): Promise<Event[]>;
  get(id: string): Promise<Understood>;
  cancel(id: string): Promise<Understood>;
  /** Subscribes to a task until its stream ends; `heard` is called with its first event. */
  resubscribe(id: string, heard?: () => void): Promise<Event[]>;
  /** Ids of the tasks of a context, for clients that have lists. */
  list?(contextId: string): Promise<string[]>;
}

/** Connects to an agent; `base` and `path` are those of the clients' own documentation. */
export type Connect = (base: string, path?: string) => Promise<Caller>;

interface WirePart {
  text?: string;
  data?: object;
}

interface WireStatus {
  state: string;
  message?: { parts: WirePart[] };
}

/** The members that both generations have. */
interface WireTask {
  id: string;
  contextId: string;
  status: WireStatus;
  artifacts?: { parts: WirePart[] }[];
}

interface WireArtifact {
  artifact: { parts: WirePart[] };
  append?: boolean;
  lastChunk?: boolean;
}

function stateOf({ state }: WireStatus): string {
  return state.replace("TASK_STATE_", "").toLowerCase().replace("_", "-");
}

export function understood(task: unknown): Understood {
  const { id, contextId, status, artifacts } = task as WireTask;
  const part = artifacts?.[0]?.parts[0];
  const says = status.message?.parts[0]?.text;
  return { id, contextId, state: stateOf(status), reply: part?.text ?? part?.data, says };
}

function artifactOf({ artifact, append = false, lastChunk = false }: WireArtifact): Event {
  return { kind: "artifact", text: artifact.parts[0]?.text, append, lastChunk };
}

export function eventOfV1(event: unknown): Event {
  const { task, statusUpdate, artifactUpdate } = event as {
    task?: WireTask;
    statusUpdate?: { status: WireStatus };
    artifactUpdate: WireArtifact;
  };
  if (task) return { kind: "task", state: stateOf(task.status) };
  return statusUpdate ? { kind: "status", state: stateOf(statusUpdate.status) } : artifactOf(artifactUpdate);
}

async function connectV1(card: AgentCard, factory: ClientFactory): Promise<Caller> {
  const client = await factory.createFromAgentCard(card);
  const message = (said: Said, place: Place = {}, configuration: object = {}): SendMessageRequest => {
    const part = typeof said === "string" ? { text: said } : { data: said };
    return SendMessageRequest.fromJSON({
      message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [part], ...place },
      configuration,
    });
  };
  const send = async (request: SendMessageRequest): Promise<Understood> => {
    const result = await client.sendMessage(request);
    if (!("status" in result)) throw new Error("a message instead of a task");
    return understood(Task.toJSON(result));
  };
  return {
    send: (said, place) => send(message(said, place)),
    begin: (said) => send(message(said, {}, { returnImmediately: true })),
    stream: (said, place) => all(client.sendMessageStream(message(said, place)), toEventV1),
    get: async (id) => understood(Task.toJSON(await client.getTask(GetTaskRequest.fromJSON({ id })))),
    cancel: async (id) => understood(Task.toJSON(await client.cancelTask(CancelTaskRequest.fromJSON({ id })))),
    resubscribe: (id, heard) => all(client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id })), toEventV1, heard),
    list: async (contextId) =>
      (await client.listTasks(ListTasksRequest.fromJSON({ contextId }))).tasks.map((task) => task.id),
  };
}

const toEventV1 = (event: StreamResponse): Event => eventOfV1(StreamResponse.toJSON(event));

async function all<T>(stream: AsyncIterable<T>, toEvent: (event: T) => Event, heard?: () => void): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of stream) {
    if (events.push(toEvent(event)) === 1) heard?.();
  }
  return events;
}

export function eventOf03(event: unknown): Event {
  const { kind, status, ...rest } = event as { kind: string; status: WireStatus } & WireArtifact;
  if (kind === "artifact-update") return artifactOf(rest);
  return { kind: kind === "task" ? "task" : "status", state: stateOf(status) };
}

const connect03: Connect = async (base, path) => {
  const client = await new ClientFactory03().createFromUrl(base, path);
  const message = (said: Said, place: Place = {}, configuration?: object): MessageSendParams => ({
    message: {
      kind: "message",
      messageId: crypto.randomUUID(),
      role: "user",
      parts: [typeof said === "string" ? { kind: "text", text: said } : { kind: "data", data: said }],
      ...place,
    },
    configuration,
  });
  const send = async (params: MessageSendParams): Promise<Understood> => {
    const result = await client.sendMessage(params);
    if (result.kind !== "task") throw new Error("a message instead of a task");
    return understood(result);
  };
  return {
    send: (said, place) => send(message(said, place)),
    begin: (said) => send(message(said, {}, { blocking: false })),
    stream: (said, place) => all(client.sendMessageStream(message(said, place)), eventOf03),
    get: async (id) => understood(await client.getTask({ id })),
    cancel: async (id) => understood(await client.cancelTask({ id })),
    resubscribe: (id, heard) => all(client.resubscribeTask({ id }), eventOf03, heard),
  };
};

const resolver = new DefaultAgentCardResolver();
const legacyResolver = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } });
const compat = new ClientFactory(
  ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ legacyCompat: { enabled: true } })],
    cardResolver: legacyResolver,
  }),
);

export const callers: [string, Connect][] = [
  ["1.3.0", async (base, path) => connectV1(await resolver.resolve(base, path), new ClientFactory())],
  ["1.3.0 with legacyCompat", async (base, path) => connectV1(await legacyResolver.resolve(base, path), compat)],
  [
    "1.3.0 in its compatibility layer's v0.3",
    async (base, path) => {
      const card = await resolver.resolve(base, path);
      const supportedInterfaces = card.supportedInterfaces.filter((one) => one.protocolVersion === "0.3");
      // The compatibility layer has no lists.
      return { ...(await connectV1({ ...card, supportedInterfaces }, compat)), list: undefined };
    },
  ],
  ["0.3.14", connect03],
];
