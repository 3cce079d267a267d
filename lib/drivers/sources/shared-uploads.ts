/** Uploaded archives that any server can unpack, whichever received them. */
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { NamedBlobs } from "../blobs/named-blobs.ts";
import { KEPT_MS, type UploadStore } from "./upload.ts";

const PREFIX = "upload/";

/** `folder`: that of `uploads`, which keeps a copy for a while. */
export function sharedUploads(uploads: UploadStore, folder: string, blobs: NamedBlobs): UploadStore {
  const bring = async (id: string, signal: AbortSignal): Promise<void> => {
    const path = join(folder, id);
    const isHere = await access(path).then(
      () => true,
      () => false,
    );
    const blob = isHere ? undefined : await blobs.find(PREFIX + id);
    if (!blob) return;
    const part = join(folder, `.${id}-${randomUUID()}`);
    await mkdir(folder, { recursive: true });
    try {
      await blobs.read(blob, "The uploaded archive", (bytes) =>
        pipeline(bytes, createWriteStream(part, { mode: 0o600 }), { signal }),
      );
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  };
  return {
    async receive(body, signal) {
      const upload = await uploads.receive(body, signal);
      await blobs.put(PREFIX + upload.upload_id, join(folder, upload.upload_id), {});
      return upload;
    },
    async unpack(id, into, context, options) {
      await bring(id, context.signal);
      await uploads.unpack(id, into, context, options);
    },
    async sweep(inUse, nowMs) {
      await uploads.sweep(inUse, nowMs);
      const all = await blobs.list(PREFIX);
      const old = all.filter(({ name, usedAt }) => !inUse.has(name.slice(PREFIX.length)) && nowMs - usedAt > KEPT_MS);
      await blobs.drop(old.map(({ name }) => name));
    },
  };
}
