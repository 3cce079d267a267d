import type { AppAnswer, AppLine, AppMessage, AppRequest } from "../../protocol/app-routes.ts";
import { Fault } from "../../protocol/faults.ts";

/** Requests that the application's own routes are answering. */
export interface Exchanges {
  /** Faults: `unavailable` when the worker ends first; throws an `Error` when the application's code fails. */
  begin(request: AppRequest, signal: AbortSignal, send: (message: AppMessage) => void): Promise<AppAnswer>;
  hear(line: AppLine): void;
  endAll(reason: string): void;
}

interface Exchange {
  hear(line: AppLine): void;
  end(error: Error): void;
}

export function createExchanges(): Exchanges {
  const open = new Map<number, Exchange>();
  let begun = 0;
  return {
    begin({ body, ...request }, signal, send) {
      const id = ++begun;
      const { promise, resolve, reject } = Promise.withResolvers<AppAnswer>();
      const pieces = bodyOf({
        pull: () => send({ type: "pull", id }),
        cancel: () => leave(),
      });
      const close = (): void => {
        open.delete(id);
        signal.removeEventListener("abort", leave);
      };
      const end = (error: Error): void => {
        close();
        reject(error);
        pieces.fail(error);
      };
      const leave = (): void => {
        if (!open.has(id)) return;
        send({ type: "abandon", id });
        end(new Fault("unavailable", "The caller has gone"));
      };
      const hear = (line: AppLine): void => {
        if ("error" in line && line.error) {
          return end(new Error(`the application's routes failed: ${line.error.error}: ${line.error.message}`));
        }
        if (line.type === "chunk") return pieces.add(Buffer.from(line.data, "base64"));
        if (line.type === "response" && "status" in line) {
          const { status, headers, passed, hasBody } = line;
          resolve({ status, headers, passed, body: hasBody ? pieces.stream : null });
          if (!hasBody) close();
        } else if (line.type === "done") {
          close();
          pieces.finish();
        }
      };
      open.set(id, { hear, end });
      signal.addEventListener("abort", leave);
      send({ type: "request", id, request, ...(body && { body: Buffer.from(body).toString("base64") }) });
      if (signal.aborted) leave();
      return promise;
    },
    hear: (line) => open.get(line.id)?.hear(line),
    endAll(reason) {
      for (const exchange of open.values()) exchange.end(new Fault("unavailable", `The worker ended: ${reason}`));
    },
  };
}

interface Pieces {
  readonly stream: ReadableStream<Uint8Array>;
  add(piece: Uint8Array): void;
  finish(): void;
  fail(error: Error): void;
}

/** A body of which nothing is asked for before its reader asks. */
function bodyOf(source: { pull(): void; cancel(): void }): Pieces {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let come: () => void = () => undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
      },
      pull: () =>
        new Promise<void>((resolve) => {
          come = resolve;
          source.pull();
        }),
      cancel: () => source.cancel(),
    },
    { highWaterMark: 0 },
  );
  const then = (act: () => void): void => {
    try {
      act();
    } catch {
      // Its reader has cancelled it meanwhile.
    }
    come();
  };
  return {
    stream,
    add: (piece) => then(() => controller?.enqueue(piece)),
    finish: () => then(() => controller?.close()),
    fail: (error) => then(() => controller?.error(error)),
  };
}
