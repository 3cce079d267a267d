import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { createParser, type EventSourceMessage } from "eventsource-parser";

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
  /** The address of this machine that the request is sent from. On Linux, all of 127.0.0.0/8 works. */
  localAddress?: string;
}

function open(url: string, { method, headers = {}, body, localAddress }: RawRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const sent = request(url, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...json, ...headers },
      ...(localAddress !== undefined && { localAddress }),
    });
    sent.once("response", resolve);
    sent.once("error", reject);
    sent.end(body);
  });
}

/** Sends one request without an API client. Any header may be forged. */
export async function raw(url: string, options: RawRequest = {}): Promise<RawAnswer> {
  const answer = await open(url, options);
  let text = "";
  answer.setEncoding("utf8");
  for await (const piece of answer) text += String(piece);
  return { status: answer.statusCode ?? 0, headers: answer.headers, text };
}

export interface RawStream {
  status: number;
  headers: IncomingHttpHeaders;
  /** Everything read so far. */
  text(): string;
  events(): EventSourceMessage[];
  /** Resolves with the first event that fits; rejects at the end of the stream. */
  until(fits: (event: EventSourceMessage) => boolean): Promise<EventSourceMessage>;
  /** Resolves at the end of the stream with all events. */
  end(): Promise<EventSourceMessage[]>;
  /** Returns whether the HTTP message was complete: false after a broken connection. */
  whole(): boolean;
  /** Drops the connection. */
  leave(): void;
}

/** Opens a stream of server-sent events, read by a parser that is not ours. */
export async function rawStream(url: string, options: RawRequest = {}): Promise<RawStream> {
  const answer = await open(url, options);
  const events: EventSourceMessage[] = [];
  let text = "";
  let ended = false;
  let wake: () => void = () => undefined;
  const parser = createParser({ onEvent: (event) => events.push(event) });
  answer.setEncoding("utf8");
  answer.on("data", (piece: string) => {
    text += piece;
    parser.feed(piece);
    wake();
  });
  const over = (): void => {
    ended = true;
    wake();
  };
  answer.once("end", over);
  answer.once("error", over);
  const more = (): Promise<void> => new Promise((resolve) => (wake = resolve));
  return {
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text: () => text,
    events: () => events,
    async until(fits) {
      for (;;) {
        const found = events.find(fits);
        if (found) return found;
        if (ended) throw new Error(`the stream ended before that event:\n${text}`);
        await more();
      }
    },
    async end() {
      while (!ended) await more();
      return events;
    },
    whole: () => answer.complete,
    leave: () => void answer.destroy(),
  };
}

/** Parses the JSON of a response as the type that the test expects. */
export function json<T = Record<string, unknown>>({ text }: { text: string }): T {
  return JSON.parse(text) as T;
}

/** Sends these lines unchanged over a socket and reads the response until the server closes the connection. */
export async function wire(url: string, lines: readonly string[], body = ""): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let all = "";
  socket.setEncoding("utf8").write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  for await (const piece of socket) all += String(piece);
  const end = all.indexOf("\r\n\r\n");
  const [first = "", ...fields] = all.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    fields.map((field) => [field.split(":", 1)[0]?.toLowerCase() ?? "", field.replace(/^[^:]*:\s*/, "")]),
  );
  return { status: Number(first.split(" ")[1] ?? 0), headers, text: all.slice(end + 4) };
}
