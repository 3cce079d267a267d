/** Ends connections that would cost without end: whose request never comes to its end, or that ask without waiting. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { decidePace, SPAN_MS } from "../rules/http/body-pace.ts";

/** Requests that one connection may send before the first of them is answered; browsers and clients send one. */
const MOST_UNANSWERED = 100;

/** `answer` is called for requests of connections that wait for their answers; any other connection ends. */
export function limitPipelining(answer: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const open = (unanswered.get(socket) ?? 0) + 1;
    if (open > MOST_UNANSWERED) return void socket.destroy();
    unanswered.set(socket, open);
    response.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    answer(request, response);
  };
}

/** The request that a connection is sending. */
interface IncomingBody {
  request: IncomingMessage;
  response: ServerResponse;
  /** Bytes that the connection had received when the request began, and when its span did. */
  from: number;
  spanFrom: number;
  spanBegan: number;
}

const TOO_SLOW = "The request's body came too slowly\n";

/** `spanMs`: how long a body is looked at before it is judged. */
export function limitSlowness(server: Server, spanMs = SPAN_MS): void {
  // By connection, so that a request costs no listener: the entry goes with the next request, or with the connection.
  const coming = new Map<Socket, IncomingBody>();
  server.on("connection", (socket: Socket) => socket.once("close", () => coming.delete(socket)));
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const { socket } = request;
    const from = socket.bytesRead;
    coming.set(socket, { request, response, from, spanFrom: from, spanBegan: performance.now() });
  });
  const look = (): void => {
    const now = performance.now();
    for (const [socket, one] of coming) {
      if (one.request.complete) coming.delete(socket);
      else judge(socket, one, now, spanMs);
    }
  };
  const looking = setInterval(look, Math.min(5_000, spanMs / 2)).unref();
  server.once("close", () => clearInterval(looking));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function judge(socket: Socket, one: IncomingBody, now: number, spanMs: number): void {
  const { request, response } = one;
  const decided = decidePace(
    {
      elapsed: now - one.spanBegan,
      come: socket.bytesRead - one.spanFrom,
      total: socket.bytesRead - one.from,
      held: request.readableLength >= request.readableHighWaterMark,
      answered: response.writableFinished,
    },
    spanMs,
  );
  if (decided === "next") Object.assign(one, { spanFrom: socket.bytesRead, spanBegan: now });
  else if (decided === "cut") cut(socket, response);
}

function cut(socket: Socket, response: ServerResponse): void {
  if (!response.headersSent) {
    // Past the response: what answers the request learns from the end of the connection that nobody waits for it.
    const headers = `content-type: text/plain; charset=utf-8\r\ncontent-length: ${TOO_SLOW.length}`;
    socket.write(`HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n${headers}\r\n\r\n${TOO_SLOW}`);
  }
  socket.destroySoon();
}
