/** Wraps the push notification calls of the official clients of both generations in one interface. */
import {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  SendMessageRequest,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import { ClientFactory as ClientFactory03, DefaultAgentCardResolver as Resolver03 } from "a2a-sdk-v03/client";

export interface PushConfig {
  taskId: string;
  id?: string;
  url: string;
}

export interface PushCaller {
  /** Sends with an address, without waiting for the end; returns the task's id. */
  send(text: string, url: string): Promise<string>;
  set(taskId: string, url: string, id: string): Promise<PushConfig>;
  get(taskId: string, id: string): Promise<PushConfig>;
  list(taskId: string): Promise<PushConfig[]>;
  delete(taskId: string, id: string): Promise<void>;
}

/** Connects to an agent; `base` ends with a slash. */
type Connect = (base: string) => Promise<PushCaller>;

interface ConfigV1 {
  taskId: string;
  id: string;
  url: string;
}
const configOf = ({ taskId, id, url }: ConfigV1): PushConfig => ({ taskId, id, url });

async function connect10(base: string, factory: ClientFactory, versions: readonly string[]): Promise<PushCaller> {
  const card = await new DefaultAgentCardResolver().resolve(base);
  const supportedInterfaces = card.supportedInterfaces.filter((one) => versions.includes(one.protocolVersion));
  const client = await factory.createFromAgentCard({ ...card, supportedInterfaces });
  return {
    async send(text, url) {
      const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] };
      const configuration = { returnImmediately: true, taskPushNotificationConfig: { url } };
      const result = await client.sendMessage(SendMessageRequest.fromJSON({ message, configuration }));
      if (!("status" in result)) throw new Error("a message instead of a task");
      return result.id;
    },
    async set(taskId, url, id) {
      const config = TaskPushNotificationConfig.fromJSON({ taskId, url, id, token: "t" });
      return configOf(await client.createTaskPushNotificationConfig(config));
    },
    async get(taskId, id) {
      const request = GetTaskPushNotificationConfigRequest.fromJSON({ taskId, id });
      return configOf(await client.getTaskPushNotificationConfig(request));
    },
    async list(taskId) {
      const request = ListTaskPushNotificationConfigsRequest.fromJSON({ taskId });
      return (await client.listTaskPushNotificationConfig(request)).configs.map(configOf);
    },
    async delete(taskId, id) {
      const request = DeleteTaskPushNotificationConfigRequest.fromJSON({ taskId, id });
      await client.deleteTaskPushNotificationConfig(request);
    },
  };
}

const connect03: Connect = async (base) => {
  const card = await new Resolver03().resolve(base);
  const client = await new ClientFactory03().createFromAgentCard(card);
  const shown = ({ taskId, pushNotificationConfig: { id, url } }: Awaited<ReturnType<typeof config>>): PushConfig => ({
    taskId,
    id,
    url,
  });
  const config = (id: string, pushNotificationConfigId: string) => {
    // The client's type is of an earlier protocol, in which a task had only one configuration.
    const place = { id, pushNotificationConfigId };
    return client.getTaskPushNotificationConfig(place);
  };
  return {
    async send(text, url) {
      const result = await client.sendMessage({
        message: { kind: "message", messageId: crypto.randomUUID(), role: "user", parts: [{ kind: "text", text }] },
        configuration: { blocking: false, pushNotificationConfig: { url } },
      });
      if (result.kind !== "task") throw new Error("a message instead of a task");
      return result.id;
    },
    set: async (taskId, url, id) =>
      shown(await client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig: { id, url, token: "t" } })),
    get: async (taskId, id) => shown(await config(taskId, id)),
    list: async (id) => (await client.listTaskPushNotificationConfig({ id })).map(shown),
    delete: (id, pushNotificationConfigId) => client.deleteTaskPushNotificationConfig({ id, pushNotificationConfigId }),
  };
};

const compat = new ClientFactory(
  ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ legacyCompat: { enabled: true } })],
  }),
);

export const pushCallers: [string, Connect][] = [
  ["1.3.0", (base) => connect10(base, new ClientFactory(), ["1.0"])],
  ["1.3.0 in its compatibility layer's v0.3", (base) => connect10(base, compat, ["0.3"])],
  ["0.3.14", connect03],
];
