import type { AppAnswer, AppLine, AppMessage, AppRequest } from "../../protocol/app-routes.ts";
import { Fault } from "../../protocol/faults.ts";
import { BadLine } from "../../protocol/worker-lines.ts";

/** Requests that the application's own routes are answering. */
export interface Exchanges {
  /** Faults: `unavailable` when the worker ends first; throws an `Error` when the application's code fails. */
  begin(request: AppRequest, signal: AbortSignal, send: (message: AppMessage) => void): Promise<AppAnswer>;
  /** Throws `BadLine` for one that does not go on from what was said before. */
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
      let stage: "head" | "body" = "head";
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
        if ((line.type === "response") !== (stage === "head"))
          throw new BadLine(`${line.type}: an answer has one head, and its body follows it`);
        if (line.type === "response" && "status" in line) {
          const { status, headers, passed, hasBody } = line;
          stage = "body";
          resolve({ status, headers, passed, body: hasBody ? pieces.stream : null });
          if (!hasBody) close();
        } else if (line.type === "chunk") {
          pieces.add(bytesOf(line.data));
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

/** Of base64; what is none of it, Node.js passes over. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  if (bytes.length !== Math.floor(((text.length - padding) * 3) / 4)) throw new BadLine("chunk: data: expected base64");
  return bytes;
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
  let asked = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
      },
      pull: () =>
        new Promise<void>((resolve) => {
          come = resolve;
          asked++;
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
    add(piece) {
      // One for each that was asked for, or a body that nobody reads would fill the memory.
      if (asked-- <= 0) throw new BadLine("chunk: nothing was asked for");
      then(() => controller?.enqueue(piece));
    },
    finish: () => then(() => controller?.close()),
    fail: (error) => then(() => controller?.error(error)),
  };
}
