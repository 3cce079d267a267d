import { Fault } from "../protocol/faults.ts";
import { isDeeperThan } from "../protocol/json.ts";
import { parsePieces, TooDeep } from "../protocol/json-pieces.ts";
import { type BodyLease, LARGE_BYTES } from "./body-budget.ts";

const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
const DEPTH_LIMIT = 64;
/** Resolves in the next turn of the event loop, after other requests have been answered. */
export const yieldToOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Reads the bytes of a request's body. Faults: `too_large` above the limit and `unavailable` where the budget is used up,
 * both thrown before the rest is read; `malformed` if the caller leaves before the body's end.
 */
export async function readBytes(
  request: Request,
  lease: BodyLease,
  limit = BODY_LIMIT_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  const bytes = await readPieces(request, lease, (piece) => pieces.push(piece), limit);
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}

/** Reads the text of a request's body. Faults: those of `readBytes`, with a limit of 10 MiB. */
export async function readText(request: Request, lease: BodyLease): Promise<string> {
  const declared = declaredLength(request);
  requirePlain(request);
  if (declared <= LARGE_BYTES) {
    lease.expect(declared);
    return await request.text().catch(endedEarly);
  }
  return new TextDecoder().decode(await readBytes(request, lease));
}

function declaredLength(request: Request): number {
  return Number(request.headers.get("content-length") ?? Number.NaN);
}

/** Refuses compressed bodies: they may unpack to any size. Faults: `malformed`. */
function requirePlain({ headers }: Request): void {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding === "" || encoding.toLowerCase() === "identity") return;
  throw new Fault("malformed", "Bodies with a content-encoding are not read: send it as it is");
}

/** Passes the pieces of a body to `take`. The bytes of a chunked body, which has no length, are counted as they arrive. */
async function readPieces(
  request: Request,
  lease: BodyLease,
  take: (piece: Uint8Array) => void,
  limit: number,
): Promise<number> {
  const declared = declaredLength(request);
  if (declared > limit) throw tooLarge(limit);
  if (!request.body) return 0;
  if (!Number.isNaN(declared)) lease.expect(declared);
  const reader = request.body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(endedEarly);
    if (done) return bytes;
    bytes += value.byteLength;
    try {
      if (bytes > limit) throw tooLarge(limit);
      lease.grow(bytes);
    } catch (fault) {
      // The body is still read to its end, because an unread body blocks the next request on its connection.
      void drain(reader);
      throw fault;
    }
    take(value);
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client has gone.
  }
}

function endedEarly(cause: unknown): never {
  throw new Fault("malformed", "The request's body ended early", { cause });
}

function tooLarge(limit: number): Fault {
  return new Fault("too_large", `Request body is larger than ${limit / 1024 / 1024} MB`);
}

/** Reads the JSON of a request's body; a missing body is `{}`. Faults: those of `jsonOf` and `readText`. */
export async function readJson(request: Request, lease: BodyLease): Promise<unknown> {
  return await jsonOf(await readText(request, lease), lease);
}

/** Parses JSON; an empty text is `{}`. Faults: `malformed`, `invalid` (too deep). */
export async function jsonOf(text: string, lease: BodyLease): Promise<unknown> {
  if (text.length > LARGE_BYTES) return await largeJson(text, lease);
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed(cause);
  }
  if (isDeeperThan(value, DEPTH_LIMIT)) throw tooDeep();
  return value;
}

/** Parses large texts one after the other and with pauses, so that they do not take time and memory all at once. */
async function largeJson(text: string, lease: BodyLease): Promise<unknown> {
  await lease.turn();
  const work = parsePieces(text, DEPTH_LIMIT);
  try {
    for (let step = work.next(); ; step = work.next()) {
      if (step.done === true) return step.value;
      await yieldToOthers();
    }
  } catch (error) {
    throw error instanceof TooDeep ? tooDeep() : malformed(error);
  }
}

function malformed(cause: unknown): Fault {
  return new Fault("malformed", "Malformed JSON in request body", { cause });
}

function tooDeep(): Fault {
  return new Fault("invalid", `Request body nests deeper than ${DEPTH_LIMIT} levels`, {
    issues: [{ path: "", message: `expected at most ${DEPTH_LIMIT} levels` }],
  });
}
