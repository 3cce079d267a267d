import { Fault } from "../protocol/faults.ts";
import { isDeeperThan } from "../protocol/json.ts";

const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
const DEPTH_LIMIT = 64;

/** The bytes of a request's body. Faults: `too_large` above 10 MiB, told before the rest is read. */
export async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  await readPieces(request, (piece) => pieces.push(piece));
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
  if (declared > BODY_LIMIT_BYTES) throw tooLarge();
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
async function readPieces(request: Request, take: (piece: Uint8Array) => void): Promise<void> {
  if (declaredLength(request) > BODY_LIMIT_BYTES) throw tooLarge();
  if (!request.body) return;
  const reader = request.body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    bytes += value.byteLength;
    if (bytes > BODY_LIMIT_BYTES) {
      // Read to its end all the same: a body left unread blocks the next request on its connection.
      void drain(reader);
      throw tooLarge();
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

function tooLarge(): Fault {
  return new Fault("too_large", `Request body is larger than ${BODY_LIMIT_BYTES / 1024 / 1024} MB`);
}

/** The JSON of a request's body; a missing body is `{}`. Faults: `malformed`, `too_large`, `invalid` (too deep). */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request);
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
