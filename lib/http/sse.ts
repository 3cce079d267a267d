import { END, modeOf, type RunEvent, type StreamMode } from "../protocol/stream.ts";
import { encodeSse, HEARTBEAT, HEARTBEAT_MS } from "../protocol/sse.ts";

const encoder = new TextEncoder();

/** `no-transform` and `x-accel-buffering` keep proxies from buffering or compressing the stream. */
export const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

export interface ByteStreamOptions {
  /** Sent at this interval until the stream ends. */
  keepAlive: { text: string; everyMs: number };
  /** Called when the client leaves before the end. */
  onLeave?: () => void;
}

/**
 * Turns pieces of text into a body that is pulled: no piece is taken before the client has room for it, so a client that
 * stops reading delays only itself. The signal of `open` aborts when the client has left.
 */
export function byteStream(
  open: (signal: AbortSignal) => AsyncIterator<string, void, undefined>,
  { keepAlive, onLeave }: ByteStreamOptions,
): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const pieces = open(left.signal);
  let beat: NodeJS.Timeout | undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      beat = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(keepAlive.text));
      }, keepAlive.everyMs);
    },
    async pull(controller) {
      try {
        const piece = await nextPiece(pieces);
        if (left.signal.aborted) return;
        if (piece !== undefined) {
          controller.enqueue(encoder.encode(piece));
          return;
        }
        clearInterval(beat);
        controller.close();
      } catch (error) {
        clearInterval(beat);
        controller.error(error);
      }
    },
    cancel() {
      clearInterval(beat);
      left.abort();
      // The generator must release its resources even if nobody was waiting for its next piece.
      void pieces.return?.();
      onLeave?.();
    },
  });
}

export interface SseOptions extends Partial<ByteStreamOptions> {
  headers?: Record<string, string>;
}

/** Returns the response that streams server-sent events, by default with the heartbeat of LangGraph's clients. */
export function sseResponse(
  open: (signal: AbortSignal) => AsyncIterator<string, void, undefined>,
  { keepAlive = { text: HEARTBEAT, everyMs: HEARTBEAT_MS }, onLeave, headers }: SseOptions = {},
): Response {
  return new Response(byteStream(open, { keepAlive, onLeave }), { headers: { ...headers, ...STREAM_HEADERS } });
}

/** Returns the next piece that is not empty; undefined at the end. */
async function nextPiece(pieces: AsyncIterator<string, void, undefined>): Promise<string | undefined> {
  for (;;) {
    const next = await pieces.next();
    if (next.done) return undefined;
    if (next.value !== "") return next.value;
  }
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
