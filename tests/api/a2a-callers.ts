/** The official clients of both generations behind one face: what they understood of our answers, in v0.3's words. */
import { type AgentCard, GetTaskRequest, SendMessageRequest, StreamResponse, Task } from "@a2a-js/sdk";
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

export interface Caller {
  send(text: string, contextId?: string): Promise<Understood>;
  stream(text: string): Promise<Event[]>;
  get(id: string): Promise<Understood>;
}

/** `base` and `path` as the clients' own documentation has them. */
export type Connect = (base: string, path?: string) => Promise<Caller>;

interface WirePart {
  text?: string;
  data?: object;
}

interface WireStatus {
  state: string;
  message?: { parts: WirePart[] };
}

/** Members that both generations have. */
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

function understood(task: unknown): Understood {
  const { id, contextId, status, artifacts } = task as WireTask;
  const part = artifacts?.[0]?.parts[0];
  const says = status.message?.parts[0]?.text;
  return { id, contextId, state: stateOf(status), reply: part?.text ?? part?.data, says };
}

function artifactOf({ artifact, append = false, lastChunk = false }: WireArtifact): Event {
  return { kind: "artifact", text: artifact.parts[0]?.text, append, lastChunk };
}

function eventOfV1(event: unknown): Event {
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
  const message = (text: string, contextId?: string): SendMessageRequest =>
    SendMessageRequest.fromJSON({
      message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], contextId },
    });
  return {
    async send(text, contextId) {
      const result = await client.sendMessage(message(text, contextId));
      if (!("status" in result)) throw new Error("a message instead of a task");
      return understood(Task.toJSON(result));
    },
    async stream(text) {
      const events: Event[] = [];
      for await (const event of client.sendMessageStream(message(text))) {
        events.push(eventOfV1(StreamResponse.toJSON(event)));
      }
      return events;
    },
    get: async (id) => understood(Task.toJSON(await client.getTask(GetTaskRequest.fromJSON({ id })))),
  };
}

function eventOf03(event: unknown): Event {
  const { kind, status, ...rest } = event as { kind: string; status: WireStatus } & WireArtifact;
  if (kind === "artifact-update") return artifactOf(rest);
  return { kind: kind === "task" ? "task" : "status", state: stateOf(status) };
}

const connect03: Connect = async (base, path) => {
  const client = await new ClientFactory03().createFromUrl(base, path);
  const message = (text: string, contextId?: string): MessageSendParams => ({
    message: {
      kind: "message",
      messageId: crypto.randomUUID(),
      role: "user",
      parts: [{ kind: "text", text }],
      contextId,
    },
  });
  return {
    async send(text, contextId) {
      const result = await client.sendMessage(message(text, contextId));
      if (result.kind !== "task") throw new Error("a message instead of a task");
      return understood(result);
    },
    async stream(text) {
      const events: Event[] = [];
      for await (const event of client.sendMessageStream(message(text))) events.push(eventOf03(event));
      return events;
    },
    get: async (id) => understood(await client.getTask({ id })),
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
      return await connectV1({ ...card, supportedInterfaces }, compat);
    },
  ],
  ["0.3.14", connect03],
];
