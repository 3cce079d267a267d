/** Response bodies that are made of pieces of text. */

export interface TextBodyOptions {
  /** Sent at this interval, while the reader waits for a piece. */
  keepAlive: { text: string; everyMs: number };
  /** Called when the reader leaves before the end. */
  onLeave?: () => void;
}

/**
 * A body that is pulled piece by piece: no piece is taken before the reader has room for it, so a reader that stops
 * reading delays only itself.
 */
export interface TextBody extends Pick<TextBodyOptions, "keepAlive"> {
  /** Resolves to the next piece, which is not empty; undefined at the end. */
  next(): Promise<string | undefined>;
  /** Ends the body: its reader has gone. */
  leave(): void;
}

const bodies = new WeakMap<ReadableStream<Uint8Array>, TextBody>();

/** Returns the text of a stream that `textStream` has made and that nobody has read yet. */
export function textBodyOf(stream: ReadableStream<Uint8Array>): TextBody | undefined {
  return stream.locked ? undefined : bodies.get(stream);
}

/**
 * Returns a stream of pieces of text, as the body of a `Response`. A reader that wants text takes `textBodyOf` the stream
 * in its place. The signal of `open` aborts when the reader has left.
 */
export function textStream(
  open: (signal: AbortSignal) => AsyncIterator<string, void, undefined>,
  options: TextBodyOptions,
): ReadableStream<Uint8Array> {
  const body = textBody(open, options);
  const stream = byteStream(body);
  bodies.set(stream, body);
  return stream;
}

function textBody(
  open: (signal: AbortSignal) => AsyncIterator<string, void, undefined>,
  { keepAlive, onLeave }: TextBodyOptions,
): TextBody {
  const left = new AbortController();
  const pieces = open(left.signal);
  return {
    keepAlive,
    async next() {
      for (;;) {
        const { done, value } = await pieces.next();
        if (done || left.signal.aborted) return undefined;
        if (value !== "") return value;
      }
    },
    leave() {
      left.abort();
      // The generator must release its resources even if nobody was waiting for its next piece.
      void pieces.return?.();
      onLeave?.();
    },
  };
}

const encoder = new TextEncoder();

function byteStream({ keepAlive, next, leave }: TextBody): ReadableStream<Uint8Array> {
  let beat: NodeJS.Timeout | undefined;
  let left = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        beat ??= setInterval(() => {
          if (controller.desiredSize === 0) controller.enqueue(encoder.encode(keepAlive.text));
        }, keepAlive.everyMs);
        try {
          const piece = await next();
          if (left) return;
          if (piece !== undefined) return controller.enqueue(encoder.encode(piece));
          clearInterval(beat);
          controller.close();
        } catch (error) {
          clearInterval(beat);
          controller.error(error);
        }
      },
      cancel() {
        left = true;
        clearInterval(beat);
        leave();
      },
    },
    // A piece is pulled only when there is a reader for it.
    { highWaterMark: 0 },
  );
}
