/** Reads the server-sent events of a thread. */
import { expect } from "vitest";
import { json, raw } from "../support/raw.ts";

export interface Envelope {
  type: string;
  event_id: string;
  seq: number;
  method: string;
  params: { namespace: string[]; timestamp: number; node?: string; data: object };
}

export interface ThreadFrame {
  event: string;
  id: string;
  envelope: Envelope;
}

/** Reads events of a thread up to the first that fits, and leaves. */
async function eventsOf(
  url: string,
  request: object,
  until: (one: Envelope) => boolean,
  headers: Record<string, string>,
): Promise<ThreadFrame[]> {
  const stop = new AbortController();
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(request),
    signal: stop.signal,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const read: ThreadFrame[] = [];
  let text = "";
  for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const frames = (text + piece).replaceAll(": heartbeat\n", "").split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) {
      const [, event = "", data = "", id = ""] = /^event: (.*)\ndata: (.*)\nid: (.*)$/.exec(frame) ?? [];
      const one = { event, id, envelope: JSON.parse(data) as Envelope };
      read.push(one);
      if (until(one.envelope)) {
        stop.abort();
        return read;
      }
    }
  }
  throw new Error(`the stream of the thread ended after ${read.length} events`);
}

export interface CommandResponse {
  type: string;
  result?: { run_id?: string };
  error?: string;
  message?: string;
  meta: { applied_through_seq?: number };
}

let commands = 0;
/** Sends a command to a thread of the server at `base`. */
export async function commandOf(
  base: string,
  threadId: string,
  method: string,
  params: object = {},
): Promise<CommandResponse> {
  const response = await raw(`${base}/threads/${threadId}/commands`, {
    body: JSON.stringify({ id: ++commands, method, params }),
  });
  expect(response.status).toBe(200);
  return json<CommandResponse>(response);
}

type LifecycleFields = Pick<Envelope, "method" | "params">;

/** Returns a test for this lifecycle event of a run. */
export const runIs = (event: string) => (one: LifecycleFields) =>
  one.method === "lifecycle" &&
  one.params.namespace.length === 0 &&
  (one.params.data as { event?: string }).event === event;

/** Returns a test for the end of the nth run. */
export function nthRunCompleted(count: number): (one: LifecycleFields) => boolean {
  let ended = 0;
  return (one) => runIs("completed")(one) && ++ended === count;
}

/** Reads the events of a thread up to the first that fits. */
export const readEvents = (
  base: string,
  threadId: string,
  request: object,
  until: (one: Envelope) => boolean,
  headers: Record<string, string> = {},
) => eventsOf(`${base}/threads/${threadId}/stream/events`, request, until, headers);
