/** Sends the response of a route to a connection. */
import type { ServerResponse } from "node:http";
import { type TextBody, textBodyOf } from "../http/text-body.ts";

/**
 * Resolves when the response has been handed to the connection, its client has left, or its body was broken off. Rejects
 * when its body fails.
 */
export async function sendResponse(to: ServerResponse, { status, statusText, headers, body }: Response): Promise<void> {
  try {
    for (const [name, value] of headers) setHeader(to, name, value);
  } catch (error) {
    // The application has set a header that HTTP does not allow.
    await body?.cancel();
    throw error;
  }
  to.statusCode = status;
  if (statusText !== "") to.statusMessage = statusText;
  if (body === null) {
    to.end();
    return;
  }
  const text = textBodyOf(body);
  const silence = setTimeout(() => to.flushHeaders(), SILENCE_MS);
  try {
    await (text ? sendText(to, text) : sendBytes(to, body));
  } catch (error) {
    const hasLeft = to.closed;
    // The missing end of the body tells the client that it is not complete.
    to.destroy();
    if (!hasLeft && !isAbort(error)) throw error;
  } finally {
    clearTimeout(silence);
  }
}

/** Headers leave with the first piece of the body, or after this time. */
const SILENCE_MS = 20;

/** Returns whether a body was broken off on purpose, as all streams are when the server stops. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** Headers about the encoding of a body. The connection has its own, and a body that was fetched is decoded already. */
const OF_ENCODING = new Set(["content-length", "content-encoding", "transfer-encoding"]);
/** Headers that a response may have more than once. */
const REPEATED = new Set(["set-cookie", "www-authenticate", "proxy-authenticate", "vary"]);

/** What the server has set before, such as the policy of its pages, stays. */
function setHeader(to: ServerResponse, name: string, value: string): void {
  if (OF_ENCODING.has(name)) return;
  if (REPEATED.has(name)) to.appendHeader(name, value);
  else if (!to.hasHeader(name)) to.setHeader(name, value);
}

async function sendText(to: ServerResponse, body: TextBody): Promise<void> {
  const { text, everyMs } = body.keepAlive;
  const beat = setInterval(() => {
    if (!to.writableNeedDrain) to.write(text);
  }, everyMs);
  const leave = (): void => body.leave();
  if (to.closed) leave();
  else to.once("close", leave);
  try {
    for (let piece = await body.next(); piece !== undefined; piece = await body.next()) {
      if (!to.write(piece)) await roomIn(to);
    }
  } finally {
    clearInterval(beat);
    to.off("close", leave);
  }
  to.end();
}

async function sendBytes(to: ServerResponse, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => undefined);
  if (to.closed) leave();
  else to.once("close", leave);
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (!to.write(read.value)) await roomIn(to);
    }
  } finally {
    to.off("close", leave);
  }
  to.end();
}

/** Resolves when a connection takes more, or has been closed. */
function roomIn(to: ServerResponse): Promise<void> {
  if (to.closed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      to.off("drain", done);
      to.off("close", done);
      resolve();
    };
    to.on("drain", done);
    to.on("close", done);
  });
}
