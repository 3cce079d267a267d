import { END, modeOf, type RunEvent, type StreamMode } from "../protocol/stream.ts";
import { encodeSse, HEARTBEAT, HEARTBEAT_MS } from "../protocol/sse.ts";
import { type TextBodyOptions, textStream } from "./text-body.ts";

/** `no-transform` and `x-accel-buffering` keep proxies from buffering or compressing the stream. */
export const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

export interface SseOptions extends Partial<TextBodyOptions> {
  headers?: Record<string, string>;
}

/** Returns the response that streams server-sent events, by default with the heartbeat of LangGraph's clients. */
export function sseResponse(
  open: (signal: AbortSignal) => AsyncIterator<string, void, undefined>,
  { keepAlive = { text: HEARTBEAT, everyMs: HEARTBEAT_MS }, onLeave, headers }: SseOptions = {},
): Response {
  return new Response(textStream(open, { keepAlive, onLeave }), { headers: { ...headers, ...STREAM_HEADERS } });
}

/** Encodes a run's events of the requested modes. Control events always pass; the internal end event never does. */
async function* encodeRun(
  batches: AsyncIterable<readonly RunEvent[]>,
  modes?: readonly StreamMode[],
): AsyncGenerator<string, void, undefined> {
  for await (const batch of batches) {
    let text = "";
    for (const event of batch) {
      if (event.event === END || !isRequested(event.event, modes)) continue;
      text += encodeSse({ event: event.event, data: event.data, id: String(event.id) });
    }
    yield text;
  }
}

function isRequested(event: string, modes: readonly StreamMode[] | undefined): boolean {
  if (!modes) return true;
  const mode = modeOf(event);
  return mode === undefined || modes.includes(mode);
}

/** Returns the response that streams a run. `modes` are those to send; all when left out. */
export function eventStream(
  follow: (signal: AbortSignal) => AsyncIterable<readonly RunEvent[]>,
  { modes, ...options }: SseOptions & { modes?: readonly StreamMode[] },
): Response {
  return sseResponse((signal) => encodeRun(follow(signal), modes), options);
}
