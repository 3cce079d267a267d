/** Calls the A2A endpoint of an assistant from a page of the same server. */
import { createParser } from "eventsource-parser";
import { isObject, type JsonObject, parseJson } from "../protocol/json.ts";
import { readFailure } from "../rules/a2a/read-response.ts";
import { callerHeaders, NO_REDIRECTS } from "./caller.ts";
import { messageOf, RequestFailure, UNREACHABLE } from "./refusal.ts";

/** One JSON-RPC response, or one event of a stream, as it arrived. */
export interface Frame {
  /** Counts from 0. */
  readonly number: number;
  /** Milliseconds since the request was sent. */
  readonly ms: number;
  readonly text: string;
  /** The parsed text; undefined if it is not JSON. */
  readonly value: unknown;
}

export type CallEnd =
  /** `status` is the HTTP status. */
  | { readonly how: "ended"; readonly status: number; readonly ms: number }
  | { readonly how: "stopped" }
  /** The answer was not JSON-RPC. */
  | { readonly how: "refused"; readonly status: number; readonly message: string }
  | { readonly how: "lost" };

interface AgentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** Sends one call and passes on every frame as it arrives. Never throws, and never sends the request twice. */
export async function callAgent(
  url: string,
  { headers, body }: AgentRequest,
  { signal, onFrame }: { signal: AbortSignal; onFrame: (frame: Frame) => void },
): Promise<CallEnd> {
  const sent = performance.now();
  const since = (): number => performance.now() - sent;
  let number = 0;
  const emit = (text: string): void => onFrame({ number: number++, ms: since(), text, value: parseJson(text) });
  try {
    const response = await fetch(url, {
      ...NO_REDIRECTS,
      method: "POST",
      headers: { ...callerHeaders(url), ...headers },
      body: JSON.stringify(body),
      signal,
    });
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream")) await readEvents(response, emit);
    else {
      const text = await response.clone().text();
      if (!isRpc(parseJson(text))) return await refusal(response);
      emit(text);
    }
    return { how: "ended", status: response.status, ms: since() };
  } catch {
    return signal.aborted ? { how: "stopped" } : { how: "lost" };
  }
}

async function readEvents(response: Response, emit: (text: string) => void): Promise<void> {
  const parser = createParser({ onEvent: ({ data }) => emit(data) });
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    parser.feed(decoder.decode(read.value, { stream: true }));
  }
}

async function refusal(response: Response): Promise<CallEnd> {
  return { how: "refused", status: response.status, message: await messageOf(response) };
}

function isRpc(value: unknown): boolean {
  return isObject(value) && value.jsonrpc === "2.0";
}

/** Calls a method of v1.0 and returns its result. Throws a `RequestFailure` with the agent's error. */
export async function askAgent(url: string, method: string, params: JsonObject): Promise<JsonObject> {
  let answer: unknown;
  const headers = { "content-type": "application/json", "a2a-version": "1.0" };
  const body = { jsonrpc: "2.0", id: 1, method, params };
  const end = await callAgent(
    url,
    { headers, body },
    { signal: AbortSignal.timeout(ANSWER_MS), onFrame: (frame) => (answer = frame.value) },
  );
  if (end.how === "refused") throw new RequestFailure(end.status, end.message);
  if (end.how !== "ended") throw new RequestFailure(0, UNREACHABLE);
  const { result, error } = isObject(answer) ? answer : {};
  if (isObject(result)) return result;
  const failure = readFailure(error);
  throw new RequestFailure(end.status, failure ? `${failure.message} (${failure.code})` : "The answer is no JSON-RPC.");
}

/** The server answers a message earlier than this. */
const ANSWER_MS = 300_000;
