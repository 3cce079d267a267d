/** The A2A endpoint of an assistant, as a page of the same server calls it. */
import { createParser } from "eventsource-parser";
import { isObject, type JsonObject, parseJson } from "../protocol/json.ts";
import { readFailure } from "../rules/a2a/read-response.ts";
import { callerHeaders, NO_REDIRECTS } from "./caller.ts";
import { messageOf, RequestFailure } from "./refusal.ts";

/** One JSON-RPC answer, or one event of a stream, as it came. */
export interface Frame {
  /** Counts from 0. */
  readonly number: number;
  /** Since the request was sent. */
  readonly ms: number;
  readonly text: string;
  /** Parsed; undefined for what is not JSON. */
  readonly value: unknown;
}

export type CallEnd =
  /** `status` is that of HTTP. */
  | { readonly how: "ended"; readonly status: number; readonly ms: number }
  | { readonly how: "stopped" }
  /** Something answered that does not speak JSON-RPC. */
  | { readonly how: "refused"; readonly status: number; readonly message: string }
  | { readonly how: "lost" };

interface AgentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** Sends one call and hands on every frame as it comes. Never throws, and never asks twice. */
export async function callAgent(
  url: string,
  { headers, body }: AgentRequest,
  { signal, onFrame }: { signal: AbortSignal; onFrame: (frame: Frame) => void },
): Promise<CallEnd> {
  const sent = performance.now();
  const since = (): number => performance.now() - sent;
  let number = 0;
  const tell = (text: string): void => onFrame({ number: number++, ms: since(), text, value: parseJson(text) });
  try {
    const response = await fetch(url, {
      ...NO_REDIRECTS,
      method: "POST",
      headers: { ...callerHeaders(url), ...headers },
      body: JSON.stringify(body),
      signal,
    });
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream")) await readEvents(response, tell);
    else {
      const text = await response.clone().text();
      if (!isRpc(parseJson(text))) return await refusal(response);
      tell(text);
    }
    return { how: "ended", status: response.status, ms: since() };
  } catch {
    return signal.aborted ? { how: "stopped" } : { how: "lost" };
  }
}

async function readEvents(response: Response, tell: (text: string) => void): Promise<void> {
  const parser = createParser({ onEvent: ({ data }) => tell(data) });
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

/** One call in the words of v1.0; its result. Throws a `RequestFailure` with what the agent said. */
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
  if (end.how !== "ended") throw new RequestFailure(0, "The server could not be reached.");
  const { result, error } = isObject(answer) ? answer : {};
  if (isObject(result)) return result;
  const failure = readFailure(error);
  throw new RequestFailure(end.status, failure ? `${failure.message} (${failure.code})` : "The answer is no JSON-RPC.");
}

/** The server itself answers a message before this. */
const ANSWER_MS = 300_000;
