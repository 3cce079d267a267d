import { Fault } from "../protocol/faults.ts";
import { isDeeperThan } from "../protocol/json.ts";

const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
const DEPTH_LIMIT = 64;

/** The text of a request's body. Faults: `too_large` above 10 MiB, told before the rest is read. */
export async function readText(request: Request): Promise<string> {
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declared > BODY_LIMIT_BYTES) throw tooLarge();
  // Without a length (chunked) the bytes are counted as they come.
  return Number.isNaN(declared) ? await readCounted(request.body) : await request.text();
}

async function readCounted(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > BODY_LIMIT_BYTES) {
      // Read to its end all the same: a body left unread blocks the next request on its connection.
      void drain(reader);
      throw tooLarge();
    }
    text += decoder.decode(value, { stream: true });
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
