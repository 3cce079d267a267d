/** A receiver of push notifications on this machine. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../lib/protocol/json.ts";

export interface ReceivedPush {
  headers: IncomingHttpHeaders;
  body: JsonObject;
}

export interface Receiver {
  /** The address of a mailbox of its own. */
  url(name: string): string;
  /** Resolves with all notifications to this mailbox, in order, once there are at least `count`. */
  received(name: string, count: number): Promise<ReceivedPush[]>;
  /** Sets the statuses of the next answers; later answers are 200 again. */
  answer(name: string, ...statuses: number[]): void;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const mailboxes = new Map<string, ReceivedPush[]>();
  const answers = new Map<string, number[]>();
  let came = Promise.withResolvers<void>();
  const mailboxOf = (name: string): ReceivedPush[] => mailboxes.get(name) ?? mailboxes.set(name, []).get(name) ?? [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.once("end", () => {
      const name = request.url?.slice(1) ?? "";
      mailboxOf(name).push({ headers: request.headers, body: JSON.parse(text) as JsonObject });
      response.writeHead(answers.get(name)?.shift() ?? 200).end();
      came.resolve();
      came = Promise.withResolvers();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url: (name) => `${origin}/${name}`,
    async received(name, count) {
      while (mailboxOf(name).length < count) await came.promise;
      return [...mailboxOf(name)];
    },
    answer: (name, ...statuses) => void answers.set(name, statuses),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface PushBody {
  status?: { state: string };
  statusUpdate?: { status: { state: string } };
  artifactUpdate?: { artifact: { name?: string } };
}

/** Returns the state in each notification, or the name of its artifact, in the terms of v0.3. */
export function statesIn(pushes: readonly ReceivedPush[]): string[] {
  return pushes.map(({ body }) => {
    const { status, statusUpdate, artifactUpdate } = body as PushBody;
    const state = (status ?? statusUpdate?.status)?.state ?? `artifact ${artifactUpdate?.artifact.name}`;
    return state.replace("TASK_STATE_", "").toLowerCase().replace("_", "-");
  });
}
