import { createReadStream } from "node:fs";
import { Readable, Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import { tooLarge } from "../usage.ts";
import type { SourceLimits } from "./limits.ts";
import { entryFailure, type Unpacker } from "./unpacking.ts";

/** The most bytes of an entry besides its contents: header, padding, long names. */
const ENTRY_BYTES = 4_096;

export interface TarOptions {
  zipped: boolean;
  limits: SourceLimits;
  signal: AbortSignal;
}

/** Unpacks a tar archive. Throws for a damaged one. */
export async function unpackTar(file: string, to: Unpacker, { zipped, limits, signal }: TarOptions): Promise<void> {
  const decoder = createTarDecoder({ strict: true });
  const stopped = new AbortController();
  const limited = limitBytes(limits.bytes + limits.entries * ENTRY_BYTES);
  const end = Writable.fromWeb(decoder.writable);
  const options = { signal: AbortSignal.any([signal, stopped.signal]) };
  const reading = zipped
    ? pipeline(createReadStream(file), createGunzip(), limited, end, options)
    : pipeline(createReadStream(file), limited, end, options);
  const adding = addEntries(decoder.readable, to);
  // The first failure aborts the other side and is the one that is reported.
  adding.catch((error: unknown) => stopped.abort(error));
  await Promise.all([adding, reading]);
}

async function addEntries(entries: ReadableStream<ParsedTarEntry>, to: Unpacker): Promise<void> {
  for await (const { header, body } of entries) {
    const { name, size, mode = 0, linkname = "", type } = header;
    if (type === "file") {
      await to.addFile(name, size, mode, Readable.from(body));
      continue;
    }
    await body.cancel();
    if (type === "directory") await to.addFolder(name);
    else if (type === "symlink") to.addLink(name, linkname);
    else if (type === "link") await to.addCopy(name, linkname);
    else if (!type?.startsWith("pax")) throw entryFailure(name, "which is not a file");
  }
}

/** Limits the unpacked bytes, because a small archive can unpack to a huge one. */
function limitBytes(bytes: number): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      passed += chunk.length;
      if (passed > bytes) done(tooLarge("The archive unpacks to more than this server takes"));
      else done(null, chunk);
    },
  });
}
