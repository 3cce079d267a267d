/** Blobs by names, which the platform's database keeps: any server finds what another one has stored. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ExpressionBuilder } from "kysely";
import { StepFailure } from "../../engine/ports/builds.ts";
import { isoTime } from "../../protocol/iso-time.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { fromJson } from "../sql/json-column.ts";
import type { BlobNamesTable, PlatformDb, PlatformTables } from "../sql/platform/tables.ts";
import { tryAgain } from "../sql/try-again.ts";
import type { Blobs } from "./blobs.ts";

/** A blob without a name is kept for this time, because a name may follow. */
const NAMELESS_MS = 3_600_000;

/** A blob that has a name. */
export interface NamedBlob {
  name: string;
  sha256: string;
  /** The details that were stored with the name. */
  details: JsonObject;
  /** When it was stored or read last, in ms since the epoch. */
  usedAt: number;
}

export interface NamedBlobs {
  /** Stores a file under a name. What had the name before loses it. */
  put(name: string, file: string, details: JsonObject): Promise<NamedBlob>;
  find(name: string): Promise<NamedBlob | undefined>;
  /** Lists the blobs whose names begin with this. */
  list(prefix: string): Promise<NamedBlob[]>;
  /** Passes the bytes to `write`. Throws `StepFailure` about `what` when the blob is not there or is damaged. */
  read(blob: NamedBlob, what: string, write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>): Promise<void>;
  /** Takes names away. */
  drop(names: readonly string[]): Promise<void>;
  /** Removes blobs that have had no name for an hour. */
  sweep(): Promise<void>;
}

export function createNamedBlobs(db: PlatformDb, blobs: Blobs, now: () => number): NamedBlobs {
  const names = db.selectFrom("blob_names").selectAll();
  return {
    async put(name, file, details) {
      const sha256 = await digestOf(file);
      const { size: bytes } = await stat(file);
      const time = isoTime(now());
      // A blob that is in the table is removed only after its row was locked and found to be old.
      const kept = db.insertInto("blobs").values({ sha256, bytes, stored_at: time });
      await written(kept.onConflict((conflict) => conflict.column("sha256").doUpdateSet({ stored_at: time })));
      if (!(await blobs.has(sha256))) await blobs.put(sha256, file);
      const row = { sha256, details: JSON.stringify(details), used_at: time };
      const called = db.insertInto("blob_names").values({ name, ...row });
      await written(called.onConflict((conflict) => conflict.column("name").doUpdateSet(row)));
      return fromRow({ name, ...row });
    },
    async find(name) {
      const row = await names.where("name", "=", name).executeTakeFirst();
      return row && fromRow(row);
    },
    async list(prefix) {
      // Names are compared by their bytes.
      const rows = await names.where("name", ">=", prefix).where("name", "<", `${prefix}\u{10ffff}`).execute();
      return rows.map(fromRow);
    },
    async read(blob, what, write) {
      await readWhole(blobs, blob.sha256, what, write);
      const used = db.updateTable("blob_names").set({ used_at: isoTime(now()) });
      await written(used.where("name", "=", blob.name));
    },
    async drop(gone) {
      const dropped = db.deleteFrom("blob_names").where("name", "in", [...gone]);
      if (gone.length > 0) await written(dropped);
    },
    async sweep() {
      const before = isoTime(now() - NAMELESS_MS);
      const old = db.selectFrom("blobs").select("sha256").where("stored_at", "<", before).where(isNameless);
      for (const { sha256 } of await old.execute()) await removeNameless(db, blobs, sha256, before);
    },
  };
}

/** Executes a statement that may be executed again, also if it is not known whether it was. */
const written = (statement: { execute(): Promise<unknown> }): Promise<unknown> => tryAgain(() => statement.execute());

/** Passes a blob on, and compares what has passed with its digest. */
async function readWhole(
  blobs: Blobs,
  sha256: string,
  what: string,
  write: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const bytes = await blobs.get(sha256);
  if (!bytes) {
    const fix = "Is GRAPHLIB_BLOBS the same on all servers?";
    throw new StepFailure(`${what} could not be found in ${blobs.place}`, { fix });
  }
  const hash = createHash("sha256");
  const hashed = new Transform({
    transform(chunk: Uint8Array, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(bytes, hashed, write);
  if (hash.digest("hex") !== sha256) throw new StepFailure(`${what} did not arrive whole from ${blobs.place}`);
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** Removes a blob, unless it was stored again meanwhile. A server that stores it now waits, and then finds it missing. */
function removeNameless(db: PlatformDb, blobs: Blobs, sha256: string, before: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const gone = await tx
      .deleteFrom("blobs")
      .where("sha256", "=", sha256)
      .where(isNameless)
      .where("stored_at", "<", before)
      .returning("sha256")
      .execute();
    if (gone.length > 0) await blobs.delete(sha256);
  });
}

function isNameless({ not, exists, selectFrom }: ExpressionBuilder<PlatformTables, "blobs">) {
  return not(exists(selectFrom("blob_names").select("name").whereRef("blob_names.sha256", "=", "blobs.sha256")));
}

function fromRow({ name, sha256, details, used_at }: BlobNamesTable): NamedBlob {
  return { name, sha256, details: fromJson(details), usedAt: Date.parse(used_at) };
}
