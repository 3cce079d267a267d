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

export interface TaskSummary {
  id: string;
  contextId: string;
  state: string;
  /** First part of the first artifact. */
  reply?: string | object;
  /** Text of the status message. */
  statusText?: string;
}

export interface TaskEvent {
  kind: "task" | "status" | "artifact";
  state?: string;
  text?: string;
  append?: boolean;
  lastChunk?: boolean;
}

/** The context and task that a message belongs to. */
export interface Target {
  contextId?: string;
  taskId?: string;
}

/** Text, or an object as a data part. */
export type Content = string | Record<string, unknown>;

export interface Caller {
  send(content: Content, target?: Target): Promise<TaskSummary>;
  /** Sends without waiting for the task to rest. */
  sendAsync(content: Content): Promise<TaskSummary>;
  stream(content: Content, target?: Target): Promise<TaskEvent[]>;
  get(id: string): Promise<TaskSummary>;
  cancel(id: string): Promise<TaskSummary>;
  /** Subscribes to a task until its stream ends; `onFirst` is called with its first event. */
  resubscribe(id: string, onFirst?: () => void): Promise<TaskEvent[]>;
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

export function summary(task: unknown): TaskSummary {
  const { id, contextId, status, artifacts } = task as WireTask;
  const part = artifacts?.[0]?.parts[0];
  const statusText = status.message?.parts[0]?.text;
  return { id, contextId, state: stateOf(status), reply: part?.text ?? part?.data, statusText };
}

function artifactOf({ artifact, append = false, lastChunk = false }: WireArtifact): TaskEvent {
  return { kind: "artifact", text: artifact.parts[0]?.text, append, lastChunk };
}

export function eventOfV1(event: unknown): TaskEvent {
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
  const message = (content: Content, target: Target = {}, configuration: object = {}): SendMessageRequest => {
    const part = typeof content === "string" ? { text: content } : { data: content };
    return SendMessageRequest.fromJSON({
      message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [part], ...target },
      configuration,
    });
  };
  const send = async (request: SendMessageRequest): Promise<TaskSummary> => {
    const result = await client.sendMessage(request);
    if (!("status" in result)) throw new Error("a message instead of a task");
    return summary(Task.toJSON(result));
  };
  return {
    send: (content, target) => send(message(content, target)),
    sendAsync: (content) => send(message(content, {}, { returnImmediately: true })),
    stream: (content, target) => all(client.sendMessageStream(message(content, target)), toEventV1),
    get: async (id) => summary(Task.toJSON(await client.getTask(GetTaskRequest.fromJSON({ id })))),
    cancel: async (id) => summary(Task.toJSON(await client.cancelTask(CancelTaskRequest.fromJSON({ id })))),
    resubscribe: (id, onFirst) =>
      all(client.resubscribeTask(SubscribeToTaskRequest.fromJSON({ id })), toEventV1, onFirst),
    list: async (contextId) =>
      (await client.listTasks(ListTasksRequest.fromJSON({ contextId }))).tasks.map((task) => task.id),
  };
}

const toEventV1 = (event: StreamResponse): TaskEvent => eventOfV1(StreamResponse.toJSON(event));

async function all<T>(
  stream: AsyncIterable<T>,
  toEvent: (event: T) => TaskEvent,
  onFirst?: () => void,
): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  for await (const event of stream) {
    if (events.push(toEvent(event)) === 1) onFirst?.();
  }
  return events;
}

export function eventOf03(event: unknown): TaskEvent {
  const { kind, status, ...rest } = event as { kind: string; status: WireStatus } & WireArtifact;
  if (kind === "artifact-update") return artifactOf(rest);
  return { kind: kind === "task" ? "task" : "status", state: stateOf(status) };
}

const connect03: Connect = async (base, path) => {
  const client = await new ClientFactory03().createFromUrl(base, path);
  const message = (content: Content, target: Target = {}, configuration?: object): MessageSendParams => ({
    message: {
      kind: "message",
      messageId: crypto.randomUUID(),
      role: "user",
      parts: [typeof content === "string" ? { kind: "text", text: content } : { kind: "data", data: content }],
      ...target,
    },
    configuration,
  });
  const send = async (params: MessageSendParams): Promise<TaskSummary> => {
    const result = await client.sendMessage(params);
    if (result.kind !== "task") throw new Error("a message instead of a task");
    return summary(result);
  };
  return {
    send: (content, target) => send(message(content, target)),
    sendAsync: (content) => send(message(content, {}, { blocking: false })),
    stream: (content, target) => all(client.sendMessageStream(message(content, target)), eventOf03),
    get: async (id) => summary(await client.getTask({ id })),
    cancel: async (id) => summary(await client.cancelTask({ id })),
    resubscribe: (id, onFirst) => all(client.resubscribeTask({ id }), eventOf03, onFirst),
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
