import type { AppAnswer, AppLine, AppMessage, AppRequest } from "../../protocol/app-routes.ts";
import { Fault } from "../../protocol/faults.ts";
import { BadLine } from "../../protocol/line-checks.ts";

/** HTTP requests that the application's own routes are answering. */
export interface Exchanges {
  /** Faults: `unavailable` if the worker ends first. Throws an `Error` if the application's code fails. */
  begin(request: AppRequest, signal: AbortSignal, send: (message: AppMessage) => void): Promise<AppAnswer>;
  /** Throws `BadLine` for a line that cannot follow the lines before it. */
  receive(line: AppLine): void;
  endAll(reason: string): void;
}

interface OpenExchange {
  receive(line: AppLine): void;
  end(error: Error): void;
}

export function createExchanges(): Exchanges {
  const open = new Map<number, OpenExchange>();
  let lastId = 0;
  return {
    begin({ body, ...request }, signal, send) {
      const id = ++lastId;
      const { promise, resolve, reject } = Promise.withResolvers<AppAnswer>();
      let stage: "head" | "body" = "head";
      const responseBody = createBody({
        pull: () => send({ type: "pull", id }),
        cancel: () => abandon(),
      });
      const close = (): void => {
        open.delete(id);
        signal.removeEventListener("abort", abandon);
      };
      const end = (error: Error): void => {
        close();
        reject(error);
        responseBody.fail(error);
      };
      const abandon = (): void => {
        if (!open.has(id)) return;
        send({ type: "abandon", id });
        end(new Fault("unavailable", "The caller has gone"));
      };
      const receive = (line: AppLine): void => {
        if ("error" in line && line.error) {
          return end(new Error(`the application's routes failed: ${line.error.error}: ${line.error.message}`));
        }
        if ((line.type === "response") !== (stage === "head"))
          throw new BadLine(`${line.type}: an answer has one head, and its body follows it`);
        if (line.type === "response" && "status" in line) {
          const { status, headers, passed, hasBody } = line;
          stage = "body";
          resolve({ status, headers, passed, body: hasBody ? responseBody.stream : null });
          if (!hasBody) close();
        } else if (line.type === "chunk") {
          responseBody.add(bytesOf(line.data));
        } else if (line.type === "done") {
          close();
          responseBody.finish();
        }
      };
      open.set(id, { receive, end });
      signal.addEventListener("abort", abandon);
      send({ type: "request", id, request, ...(body && { body: Buffer.from(body).toString("base64") }) });
      if (signal.aborted) abandon();
      return promise;
    },
    receive: (line) => open.get(line.id)?.receive(line),
    endAll(reason) {
      for (const exchange of open.values()) exchange.end(new Fault("unavailable", `The worker ended: ${reason}`));
    },
  };
}

/** Decodes base64. Node.js skips invalid characters, so the length is checked. */
function bytesOf(text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  if (bytes.length !== Math.floor(((text.length - padding) * 3) / 4)) throw new BadLine("chunk: data: expected base64");
  return bytes;
}

interface ResponseBody {
  readonly stream: ReadableStream<Uint8Array>;
  add(piece: Uint8Array): void;
  finish(): void;
  fail(error: Error): void;
}

/** Creates a body that pulls a piece from the worker only when its reader wants one. */
function createBody(source: { pull(): void; cancel(): void }): ResponseBody {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let resolvePull: () => void = () => undefined;
  let pulls = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
      },
      pull: () =>
        new Promise<void>((resolve) => {
          resolvePull = resolve;
          pulls++;
          source.pull();
        }),
      cancel: () => source.cancel(),
    },
    { highWaterMark: 0 },
  );
  const answerPull = (act: () => void): void => {
    try {
      act();
    } catch {
      // The reader has cancelled the body in the meantime.
    }
    resolvePull();
  };
  return {
    stream,
    add(piece) {
      // One piece is allowed for each pull. Otherwise, a body that nobody reads would fill the memory.
      if (pulls-- <= 0) throw new BadLine("chunk: none was requested");
      answerPull(() => controller?.enqueue(piece));
    },
    finish: () => answerPull(() => controller?.close()),
    fail: (error) => answerPull(() => controller?.error(error)),
  };
}
