import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/**
 * A request as the handlers of routes take it. Its body is read from the connection, and its signal made, when a handler
 * asks for them; the signal aborts when the client leaves before the end of the response.
 */
export class IncomingRequest extends Request {
  readonly #incoming: IncomingMessage;
  readonly #response: ServerResponse;
  #body: ReadableStream<Uint8Array> | null | undefined;
  #leaving: AbortController | undefined;

  constructor(incoming: IncomingMessage, response: ServerResponse) {
    super(BASE, { method: incoming.method, headers: headersOf(incoming) });
    this.#incoming = incoming;
    this.#response = response;
  }

  override get url(): string {
    return BASE + this.#incoming.url;
  }

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    this.#body ??= hasNoBody(this.#incoming) ? null : streamOf(this.#incoming);
    return this.#body as ReadableStream<Uint8Array<ArrayBuffer>> | null;
  }

  override get bodyUsed(): boolean {
    return this.#incoming.readableDidRead;
  }

  override get signal(): AbortSignal {
    this.#leaving ??= leavingOf(this.#response);
    return this.#leaving.signal;
  }

  /** Rejects when the client leaves before the end of the body. */
  override async text(): Promise<string> {
    if (this.#body !== undefined || hasNoBody(this.#incoming)) return await this.#read().text();
    return decode(await piecesOf(this.#incoming));
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return await this.#read().bytes();
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return await this.#read().arrayBuffer();
  }

  override async blob(): Promise<Blob> {
    return await this.#read().blob();
  }

  override async formData(): Promise<FormData> {
    return await this.#read().formData();
  }

  override clone(): Request {
    const [mine, other] = this.body?.tee() ?? [null, null];
    this.#body = mine;
    const { url, method, headers, signal } = this;
    return new Request(url, { method, headers, signal, body: other, duplex: "half" } as RequestInit);
  }

  #read(): Response {
    return new Response(this.body, { headers: { "content-type": this.headers.get("content-type") ?? "" } });
  }
}

/** The routes read path and query of a URL only. Whom a request is for stands in its Host header. */
const BASE = "http://localhost";

/** Returns the headers as Node joins them. */
function headersOf({ headers }: IncomingMessage): [string, string][] {
  const entries: [string, string][] = [];
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === "string") entries.push([name, value]);
    else if (value) for (const one of value) entries.push([name, one]);
  }
  return entries;
}

/** A body of `GET` has no meaning (RFC 9110, 9.3.1). Every other request has one, which may be empty. */
function hasNoBody({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/** Nothing is read before somebody reads the stream. Node discards what nobody has begun to read by itself. */
function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: 0 });
  return Readable.toWeb(incoming, { strategy }) as ReadableStream<Uint8Array>;
}

function leavingOf(response: ServerResponse): AbortController {
  const leaving = new AbortController();
  const abort = (): void => {
    if (!response.writableFinished) leaving.abort(new Error("The client has left"));
  };
  if (response.closed) abort();
  else response.once("close", abort);
  return leaving;
}

function piecesOf(incoming: IncomingMessage): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const ended = (): void => reject(new Error("The request's body ended early"));
    if (incoming.destroyed || incoming.readableDidRead) return ended();
    incoming
      .on("data", (piece: Buffer) => pieces.push(piece))
      .once("end", () => resolve(pieces))
      .once("error", reject)
      .once("close", ended);
  });
}

const decoder = new TextDecoder();

function decode(pieces: readonly Buffer[]): string {
  return decoder.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
}
