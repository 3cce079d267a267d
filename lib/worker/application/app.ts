/** Serves the application's own routes: the host forwards requests, and pulls response bodies piece by piece. */
import type { AppHead, AppMessage } from "../../protocol/app-routes.ts";
import type { HostChannel } from "../channel.ts";
import { GraphLoadError, logFailure, toRunError } from "../failure.ts";

type Fetch = (request: Request) => unknown;

export interface App {
  /** Handles a request. Returns undefined if the application has no route for it. */
  readonly fetch: Fetch;
}

/** The largest piece of a body in one message, in bytes. */
const PIECE = 256 * 1024;

/** The response header that marks an unmatched route. Its random value is known only inside of this process. */
const PASSED = "x-graphlib-passed";
const passed = crypto.randomUUID();

interface HonoApp {
  fetch: Fetch;
  notFound(handler: () => Response): unknown;
}

/** Returns the app that a module exports. Throws `GraphLoadError` for an export that cannot handle requests. */
export function toApp(exported: unknown): App {
  if (typeof exported === "function") return { fetch: exported as Fetch };
  if (!hasFetch(exported)) throw new GraphLoadError("http.app must name a function or an object with fetch(request)");
  // Hono reports an unmatched route through a handler, whose response still carries the headers that middleware set.
  if (isHono(exported)) exported.notFound(() => new Response(null, { status: 404, headers: { [PASSED]: passed } }));
  return { fetch: (request) => exported.fetch(request) };
}

function hasFetch(value: unknown): value is { fetch: Fetch } {
  return typeof value === "object" && value !== null && "fetch" in value && typeof value.fetch === "function";
}

function isHono(app: { fetch: Fetch }): app is HonoApp {
  return "notFound" in app && typeof app.notFound === "function" && "onError" in app;
}

/**
 * Reads the head of a response. The application passes a request on if it returns nothing, if Hono finds no route, or
 * with a bare 404: one without body and headers.
 */
function headOf(response: Response): AppHead & { hasBody: boolean } {
  const marked = response.headers.get(PASSED) === passed;
  const bare = response.status === 404 && response.body === null && [...response.headers].length === 0;
  const headers = [...response.headers].filter(([name]) => name !== PASSED);
  return { status: response.status, headers, passed: marked || bare, hasBody: response.body !== null };
}

export interface AppServer {
  handle(app: App | undefined, message: AppMessage): void;
}

interface AppExchange {
  readonly stop: AbortController;
  /** The request is referenced here, because the signal of a garbage-collected request reports no abort. */
  request?: Request;
  reader?: ReadableStreamDefaultReader<Uint8Array>;
  /** The unsent rest of the last piece that was read. */
  rest: Uint8Array;
}

export function createAppServer(channel: HostChannel): AppServer {
  const open = new Map<number, AppExchange>();
  const send = (line: object): void => channel.send(`${JSON.stringify(line)}\n`);

  const respond = async (app: App | undefined, { id, request, body }: Extract<AppMessage, { type: "request" }>) => {
    const exchange: AppExchange = { stop: new AbortController(), rest: new Uint8Array() };
    open.set(id, exchange);
    try {
      if (!app) throw new GraphLoadError("The application has no http.app");
      exchange.request = new Request(request.url, {
        method: request.method,
        headers: request.headers,
        signal: exchange.stop.signal,
        ...(body !== undefined && { body: Buffer.from(body, "base64") }),
      });
      const response = await app.fetch(exchange.request);
      const head = headOf(responseOf(response));
      const stream = response instanceof Response && !head.passed ? response.body : null;
      if (stream) exchange.reader = stream.getReader();
      else open.delete(id);
      send({ type: "response", id, ...head, hasBody: stream !== null });
    } catch (thrown) {
      open.delete(id);
      if (!exchange.stop.signal.aborted) logFailure(`The app failed (${request.method} ${request.url}):`, thrown);
      send({ type: "response", id, error: toRunError(thrown) });
    }
  };

  const sendPiece = async (id: number): Promise<void> => {
    const exchange = open.get(id);
    if (!exchange?.reader) return;
    try {
      while (exchange.rest.length === 0) {
        const { done, value } = await exchange.reader.read();
        if (done) {
          open.delete(id);
          return send({ type: "done", id });
        }
        exchange.rest = value;
      }
      const data = Buffer.from(exchange.rest.subarray(0, PIECE)).toString("base64");
      exchange.rest = exchange.rest.subarray(PIECE);
      send({ type: "chunk", id, data });
    } catch (thrown) {
      open.delete(id);
      logFailure("A response of the app broke off:", thrown);
      send({ type: "done", id, error: toRunError(thrown) });
    }
  };

  return {
    handle(app, message) {
      if (message.type === "request") return void respond(app, message);
      if (message.type === "pull") return void sendPiece(message.id);
      const exchange = open.get(message.id);
      open.delete(message.id);
      exchange?.stop.abort();
      void exchange?.reader?.cancel().catch(() => undefined);
    },
  };
}

function responseOf(answer: unknown): Response {
  if (answer === undefined || answer === null) return new Response(null, { status: 404 });
  if (answer instanceof Response) return answer;
  throw new TypeError("http.app must return a Response");
}
