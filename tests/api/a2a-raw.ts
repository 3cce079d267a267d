/** Sends A2A calls as raw JSON-RPC, without an A2A client. */
import { expect } from "vitest";
import { RpcAnswer, Task03 } from "../protocol/a2a-schemas.ts";
import { json, raw, rawStream, type RawAnswer, type RawStream } from "../support/raw.ts";
import type { TestServer } from "../support/server.ts";
import type { Gate } from "./gate.ts";

export interface RpcResponse {
  id: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: Record<string, unknown>[] };
}

type Headers = Record<string, string>;

export const parts = [{ kind: "text", text: "hello" }];
export const text = (words: string) => [{ kind: "text", text: words }];
/** Parameters of a send. */
export const message = (words: string, more: object = {}) => ({ message: { parts: text(words), ...more } });
/** First part of the reply. */
export const replyOf = (task: Task03): unknown => task.artifacts?.[0]?.parts[0];
export const v1Message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hello" }] };

export const call = (method: string, params?: unknown, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

/** Parses a response with HTTP 200; anything else fails the test. */
export function parseResponse(response: RawAnswer): RpcResponse {
  expect([response.status, response.headers["content-type"]]).toEqual([200, "application/json"]);
  return RpcAnswer.parse(json(response));
}

export const codeOf = async (response: Promise<RpcResponse>): Promise<number | undefined> =>
  (await response).error?.code;

export interface RawA2a {
  at(graph: string): string;
  request(graph: string, method: string, params?: unknown, headers?: Headers): Promise<RpcResponse>;
  /** Sends by v0.3 and returns the task. */
  send(graph: string, params: unknown): Promise<Task03>;
  get(graph: string, id: string): Promise<Task03>;
  stream(graph: string, method: string, params: unknown, id?: unknown): Promise<RawStream>;
}

export function rawA2a(server: () => Pick<TestServer, "url">): RawA2a {
  const at = (graph: string): string => `${server().url}/a2a/${graph}`;
  const request: RawA2a["request"] = async (graph, method, params, headers = {}) =>
    parseResponse(await raw(at(graph), { body: call(method, params), headers }));
  return {
    at,
    request,
    send: async (graph, params) => Task03.parse((await request(graph, "message/send", params)).result),
    get: async (graph, id) => Task03.parse((await request(graph, "tasks/get", { id })).result),
    stream: (graph, method, params, id = 5) =>
      rawStream(at(graph), { body: call(method, params, id), headers: { accept: "text/event-stream" } }),
  };
}

/** Starts a task whose graph emits the first half of its reply and then waits at the gate. */
export async function startHalfway({ send }: RawA2a, gate: Gate): Promise<Task03> {
  const task = await send("halfway", { ...message(gate.url), configuration: { blocking: false } });
  await gate.reached();
  return task;
}

export const results = (events: { data: string }[]): unknown[] =>
  events
    .map(({ data }) => RpcAnswer.parse(JSON.parse(data)))
    .map((response) => ("result" in response ? response.result : response));
