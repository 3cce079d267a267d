import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StepFailure, type StepContext, type Uploads } from "../../engine/ports/builds.ts";
import { archiveKind, KIND_BYTES } from "../../rules/sources/archive.ts";
import { sizeText } from "../usage.ts";
import { diskFullFailure } from "./failures.ts";
import type { SourceLimits } from "./limits.ts";
import { createUnpacker } from "./unpacking.ts";
import { unpackTar } from "./unpack-tar.ts";
import { unpackZip } from "./unpack-zip.ts";
import { rejectOnAbort } from "../reject-on-abort.ts";

const UPLOAD_BYTES = 100 * 1024 * 1024;
/** The most bytes of all uploads together. An upload in progress counts with the largest size. */
const TOTAL_BYTES = 20 * UPLOAD_BYTES;
/** An upload is deleted when it is unused for this long. */
export const KEPT_MS = 24 * 3_600_000;
/** The suffix of a file that is still being received. */
const PART_SUFFIX = ".part";

export interface UploadStore extends Uploads {
  /** Throws `StepFailure` for a file that is not an archive, or one that cannot be unpacked here. */
  unpack(
    id: string,
    into: string,
    context: StepContext,
    options: { part: string; limits: SourceLimits },
  ): Promise<void>;
  sweep(inUse: ReadonlySet<string>, nowMs: number): Promise<void>;
}

export function createUploads(folder: string, maxBytes = UPLOAD_BYTES): UploadStore {
  const incoming = new Set<string>();
  const pathOf = (id: string): string => join(folder, id);
  return {
    async receive(body, signal) {
      const upload_id = randomUUID();
      const part = `${upload_id}${PART_SUFFIX}`;
      incoming.add(part);
      try {
        await mkdir(folder, { recursive: true });
        await requireSpace(folder, incoming.size * maxBytes);
        const bytes = await writeBody(body, join(folder, part), maxBytes, signal);
        await rename(join(folder, part), pathOf(upload_id));
        return { upload_id, bytes };
      } catch (error) {
        await rm(join(folder, part), { force: true });
        throw diskFullFailure(error) ?? error;
      } finally {
        incoming.delete(part);
      }
    },
    async unpack(id, into, context, options) {
      const path = pathOf(id);
      const start = await readStart(path);
      if (start === undefined) {
        const fix = "Upload the archive again";
        throw new StepFailure("This upload no longer exists", { fix });
      }
      const found = archiveKind(start);
      if (!("kind" in found)) throw notAnArchive(found.other);
      const { limits, part } = options;
      const { signal } = context;
      const to = await createUnpacker(part, limits, signal);
      const unpacking =
        found.kind === "zip"
          ? unpackZip(path, to, signal)
          : unpackTar(path, to, { zipped: found.kind === "tar.gz", limits, signal });
      await failAsDamaged(signal, unpacking);
      await to.finish(into, context);
    },
    async sweep(inUse, nowMs) {
      for (const name of await readdir(folder).catch(() => [])) {
        const { mtimeMs = nowMs } = (await stat(pathOf(name)).catch(() => undefined)) ?? {};
        const isOld = name.endsWith(PART_SUFFIX) ? !incoming.has(name) : !inUse.has(name) && nowMs - mtimeMs > KEPT_MS;
        if (isOld) await rm(pathOf(name), { force: true });
      }
    },
  };
}

async function requireSpace(folder: string, incomingBytes: number): Promise<void> {
  let bytes = incomingBytes;
  for (const name of await readdir(folder)) {
    if (!name.endsWith(PART_SUFFIX)) bytes += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
  }
  if (bytes <= TOTAL_BYTES) return;
  const fix = "Deploy the uploaded archives, or wait: unused ones are deleted after 24 hours";
  throw new StepFailure("There is no space for another archive", { fix });
}

async function writeBody(
  body: AsyncIterable<Uint8Array>,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<number> {
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _, done) {
      bytes += chunk.length;
      const fix = "Leave out installed packages, models and data, or deploy from a git repository";
      if (bytes <= maxBytes) done(null, chunk);
      else done(new StepFailure(`The archive is larger than ${sizeText(maxBytes)}`, { fix }));
    },
  });
  // The file is created before anything can be aborted. A stream would create it later, perhaps after its removal.
  const file = (await open(path, "wx", 0o600)).createWriteStream();
  // The pipeline may not end when it is aborted if the sender does not react, so it is not awaited then.
  await rejectOnAbort(pipeline(Readable.from(body), counted, file, { signal }), signal);
  return bytes;
}

/** Returns one character for each byte; undefined for a missing file. */
async function readStart(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(KIND_BYTES), 0, KIND_BYTES, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } finally {
    await file.close();
  }
}

function notAnArchive(other: string | undefined): StepFailure {
  const fix = "Upload a .tar.gz, .tar or .zip file";
  if (other === undefined) return new StepFailure("The uploaded file is not an archive", { fix });
  return new StepFailure(`Archives of ${other} can't be unpacked here`, { fix });
}

/** Turns errors of archive readers into a `StepFailure`. Only errors of the file system have codes like `ENOENT`. */
async function failAsDamaged(signal: AbortSignal, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    signal.throwIfAborted();
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (error instanceof StepFailure || !(error instanceof Error) || /^E[A-Z]+$/.test(code)) throw error;
    const fix = "Pack and upload it again";
    throw new StepFailure(`The archive is damaged: ${error.message.replace(/\.$/, "")}`, { fix }, error);
  }
}
