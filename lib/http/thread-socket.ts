/**
 * The thread streaming protocol over a WebSocket (docs/api/thread-streams.md#websocket, docs/decisions/048-websockets.md).
 * A frame is a command. It is executed as the equivalent call over HTTP, so callers are authorised in one place.
 */
import { Buffer } from "node:buffer";
import { isObject, type JsonObject, parseJson } from "../protocol/json.ts";
import { operations } from "../protocol/operations.ts";
import { type CommandError, type CommandResponse, ThreadCommand } from "../protocol/thread-stream.ts";
import { isPythonSocket } from "../rules/thread-stream/python.ts";
import type { RouteHandler } from "./call.ts";
import { endpoint } from "./endpoint.ts";
import { runEndOrder } from "./run-end-order.ts";
import type { HttpContext } from "./settings.ts";
import { applyThreadCommand, streamThread } from "./thread-stream.ts";
import { WRITTEN_URL } from "./written-url.ts";

/** The other end of a socket. */
export interface SocketEnd {
  /** Resolves when the frame has left, so that a slow reader delays only itself. */
  send(text: string): Promise<void>;
  /** Closes the socket because a stream has ended. The client opens a new one and continues where it was. */
  restart(): void;
}

export interface ThreadSocket {
  /** Executes one frame; never rejects. */
  receive(text: string): Promise<void>;
  close(): void;
}

/** The largest number of open subscriptions of one socket. Clients have two or three. */
const SUBSCRIPTIONS = 64;
/** A client sends its subscriptions within one turn of its event loop, which takes some ms on a busy machine. */
const RUN_END_DELAYS = { moreMs: 20, mostMs: 1_000 };

/** `handshake` is the request that opened the socket. Its headers authorise each command. */
export function threadSocket(
  context: () => HttpContext,
  handshake: Request,
  params: Record<string, string>,
  end: SocketEnd,
): ThreadSocket {
  const commands = endpoint(context, operations.applyThreadCommand, applyThreadCommand);
  const open = new Map<string, AbortController>();
  const order = runEndOrder(RUN_END_DELAYS);
  const call = (handle: RouteHandler, path: "commands" | "stream/events", body: unknown): Promise<Response> =>
    handle(callOf(handshake, path, body), { params: Promise.resolve(params) });

  const subscribe = async ({ id, params: filter }: ThreadCommand): Promise<void> => {
    if (open.size >= SUBSCRIPTIONS)
      return await end.send(failure(id, "invalid_argument", `A socket has ${SUBSCRIPTIONS} subscriptions at most`));
    const subscription_id = crypto.randomUUID();
    const leaving = new AbortController();
    open.set(subscription_id, leaving);
    const ordered = order.join();
    const leave = (): void => {
      open.delete(subscription_id);
      ordered.leave();
    };
    const events = endpoint(context, operations.streamThread, (from) => streamThread(from, ordered));
    const response = await call(events, "stream/events", filter ?? {});
    if (!response.ok || !response.body) {
      leave();
      return await end.send(await answerText(id, response));
    }
    await end.send(success(id, { subscription_id, replayed_events: 0 }));
    void forward(response.body, leaving.signal, end).finally(leave);
  };
  const unsubscribe = async ({ id, params: given }: ThreadCommand): Promise<void> => {
    const subscription = open.get(String(given?.subscription_id));
    subscription?.abort();
    const unknown = (): string => failure(id, "no_such_subscription", "There is no such subscription");
    await end.send(subscription ? success(id, {}) : unknown());
  };

  return {
    async receive(text) {
      const read = ThreadCommand.safeParse(parseJson(text));
      if (!read.success) {
        const { path, message } = read.error.issues[0] ?? { path: [], message: "rejected" };
        return await end.send(failure(null, "invalid_argument", `${path.join(".") || "A frame"}: ${message}`));
      }
      if (read.data.method === "subscription.subscribe") return await subscribe(read.data);
      if (read.data.method === "subscription.unsubscribe") return await unsubscribe(read.data);
      await end.send(await answerText(read.data.id, await call(commands, "commands", read.data)));
    },
    close() {
      for (const subscription of open.values()) subscription.abort();
    },
  };
}

/** Makes the HTTP request that a frame is equivalent to, at another path of the same thread. */
function callOf({ url, headers: given }: Request, path: string, body: unknown): Request {
  const text = JSON.stringify(body);
  const headers = new Headers(given);
  headers.set("content-type", "application/json");
  headers.set("content-length", String(Buffer.byteLength(text)));
  // The client for Python is recognised by this header, which it sends in HTTP calls but not in handshakes.
  if (isPythonSocket(given)) headers.set("cache-control", "no-store");
  const at = (address: string): string => address.replace(/\/stream\/events(?=$|\?)/, `/${path}`);
  headers.set(WRITTEN_URL, at(given.get(WRITTEN_URL) ?? ""));
  return new Request(at(url), { method: "POST", headers, body: text });
}

/** Sends each server-sent event of a body as a frame, until the body ends or `leaving` aborts. */
async function forward(body: ReadableStream<Uint8Array>, leaving: AbortSignal, end: SocketEnd): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  leaving.addEventListener("abort", leave, { once: true });
  if (leaving.aborted) leave();
  let rest = "";
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const lines = (rest + decoder.decode(piece.value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      const frames = lines
        .filter((line) => line.startsWith("data: "))
        .map((line) => end.send(line.slice("data: ".length)));
      await Promise.all(frames);
    }
  } catch {
    // The stream broke or the socket closed. In both cases there is nothing more to send.
  }
  if (!leaving.aborted) end.restart();
}

async function answerText(id: number, response: Response): Promise<string> {
  const text = await response.text();
  if (response.ok) return text;
  const body = parseJson(text);
  const message = isObject(body) && typeof body.detail === "string" ? body.detail : text;
  return failure(id, codeOf(response.status), message);
}

function codeOf(status: number): CommandError {
  if (status === 401 || status === 403 || status === 404) return "permission_denied";
  return status >= 500 ? "unknown_error" : "invalid_argument";
}

function success(id: number, result: JsonObject): string {
  return JSON.stringify({ type: "success", id, result, meta: {} } satisfies CommandResponse);
}

/** Encodes an error. The id is null where the frame has none. */
function failure(id: number | null, error: CommandError, message: string): string {
  return JSON.stringify({ type: "error", id, error, message, meta: {} });
}
