/** Ends connections whose request body arrives too slowly, or that send requests without waiting for answers. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { decidePace, SPAN_MS } from "../rules/http/body-pace.ts";

/** One connection may have this many unanswered requests. Browsers and clients have one. */
const MOST_UNANSWERED = 100;

/** Returns a listener that calls `answer`, but ends connections with too many unanswered requests. */
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

/** The request whose body a connection is sending. */
interface IncomingBody {
  request: IncomingMessage;
  response: ServerResponse;
  /** The bytes that the connection had received when the request began. */
  from: number;
  /** The bytes that the connection had received when the present span began. */
  spanFrom: number;
  spanBegan: number;
}

const TOO_SLOW = "The request's body arrived too slowly\n";

/** Ends requests whose body is too slow. The pace is judged after spans of `spanMs`. */
export function limitSlowness(server: Server, spanMs = SPAN_MS): void {
  // One entry per connection needs no listener per request. The next request replaces it; the connection's end removes it.
  const bodies = new Map<Socket, IncomingBody>();
  server.on("connection", (socket: Socket) => socket.once("close", () => bodies.delete(socket)));
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const { socket } = request;
    const from = socket.bytesRead;
    bodies.set(socket, { request, response, from, spanFrom: from, spanBegan: performance.now() });
  });
  const checkAll = (): void => {
    const now = performance.now();
    for (const [socket, one] of bodies) {
      if (one.request.complete) bodies.delete(socket);
      else judge(socket, one, now, spanMs);
    }
  };
  const timer = setInterval(checkAll, Math.min(5_000, spanMs / 2)).unref();
  server.once("close", () => clearInterval(timer));
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
    // This is written past the response object. The handler learns from the closed connection that nobody waits for it.
    const headers = `content-type: text/plain; charset=utf-8\r\ncontent-length: ${TOO_SLOW.length}`;
    socket.write(`HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n${headers}\r\n\r\n${TOO_SLOW}`);
  }
  socket.destroySoon();
}
