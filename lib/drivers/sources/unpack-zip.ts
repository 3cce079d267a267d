import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from "yauzl";
import { StepFailure } from "../../engine/ports/builds.ts";
import { entryFailure, type Unpacker } from "./unpacking.ts";

/** Unix file types in the upper half of an entry's external attributes. */
const KIND = 0o170000;
const LINK = 0o120000;
const ORDINARY = new Set([0, 0o100000, 0o040000, LINK]);
/** The longest target of a link. */
const TARGET_BYTES = 4_096;
const ENCRYPTED = 1;
/** The id of the extra field that holds a name in UTF-8. */
const UNICODE_PATH = 0x7075;

/** Unpacks a zip archive. Throws for a damaged one. */
export async function unpackZip(file: string, to: Unpacker, signal: AbortSignal): Promise<void> {
  const zip = await openPromise(file, { autoClose: false, decodeStrings: false });
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      await addEntry(zip, entry, to);
    }
  } finally {
    zip.close();
  }
}

async function addEntry(zip: ZipFile, entry: Entry, to: Unpacker): Promise<void> {
  const { uncompressedSize: bytes, generalPurposeBitFlag: flags } = entry;
  const name = nameOf(entry);
  const mode = entry.externalFileAttributes >>> 16;
  if (!ORDINARY.has(mode & KIND)) throw entryFailure(name, "which is not a file");
  if (name.endsWith("/")) return await to.addFolder(name);
  if ((flags & ENCRYPTED) !== 0) {
    throw new StepFailure("The archive is locked with a password", { fix: "Pack it again without one" });
  }
  const body = await zip.openReadStreamPromise(entry);
  if ((mode & KIND) === LINK) to.addLink(name, await readText(body, name));
  else await to.addFile(name, bytes, mode, body);
}

/**
 * Decodes an entry's name. Many packers write UTF-8 without setting the flag for it; decoded by the format's default,
 * hardly any such name would be right. Old packers of Windows write backslashes.
 */
function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const isPlain = isUtf8(fileNameRaw) && !extraFields.some(({ id }) => id === UNICODE_PATH);
  if (isPlain) return fileNameRaw.toString("utf8").replaceAll("\\", "/");
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

async function readText(body: Readable, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > TARGET_BYTES) throw entryFailure(name, "a link that leads nowhere");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
