import { Fault } from "../protocol/faults.ts";
import { isDeeperThan } from "../protocol/json.ts";

const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
const DEPTH_LIMIT = 64;

/** The bytes of a request's body. Faults: `too_large` above the limit, told before the rest is read. */
export async function readBytes(request: Request, limit = BODY_LIMIT_BYTES): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  await readPieces(request, (piece) => pieces.push(piece), limit);
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}

/** The text of a request's body. Faults: `too_large` above 10 MiB, told before the rest is read. */
export async function readText(request: Request): Promise<string> {
  const declared = declaredLength(request);
  if (declared > BODY_LIMIT_BYTES) throw tooLarge(BODY_LIMIT_BYTES);
  if (!Number.isNaN(declared)) return await request.text();
  const decoder = new TextDecoder();
  let text = "";
  await readPieces(request, (piece) => (text += decoder.decode(piece, { stream: true })));
  return text + decoder.decode();
}

function declaredLength(request: Request): number {
  return Number(request.headers.get("content-length") ?? Number.NaN);
}

/** Without a length (chunked) the bytes are counted as they come. */
async function readPieces(
  request: Request,
  take: (piece: Uint8Array) => void,
  limit = BODY_LIMIT_BYTES,
): Promise<void> {
  if (declaredLength(request) > limit) throw tooLarge(limit);
  if (!request.body) return;
  const reader = request.body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    bytes += value.byteLength;
    if (bytes > limit) {
      // Read to its end all the same: a body left unread blocks the next request on its connection.
      void drain(reader);
      throw tooLarge(limit);
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

function tooLarge(limit: number): Fault {
  return new Fault("too_large", `Request body is larger than ${limit / 1024 / 1024} MB`);
}

/** The JSON of a request's body; a missing body is `{}`. Faults: `malformed`, `too_large`, `invalid` (too deep). */
export async function readJson(request: Request): Promise<unknown> {
  return jsonOf(await readText(request));
}

/** The JSON of a text; an empty one is `{}`. Faults: `malformed`, `invalid` (too deep). */
export function jsonOf(text: string): unknown {
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Fault("malformed", "Malformed JSON in request body", { cause });
  }
  if (isDeeperThan(value, DEPTH_LIMIT)) {
    throw new Fault("invalid", `Request body nests deeper than ${DEPTH_LIMIT} levels`, {
      issues: [{ path: "", message: `expected at most ${DEPTH_LIMIT} levels` }],
    });
  }
  return value;
}
