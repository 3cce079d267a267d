/** Blobs in the platform's own database, in pieces. Each needs its row in `blobs`, with which its pieces go. */
import { createReadStream } from "node:fs";
import type { PlatformDb } from "../sql/platform/tables.ts";
import { tryAgain } from "../sql/try-again.ts";
import type { Blobs } from "./blobs.ts";

/** The largest piece, in bytes: one row, which is read and written as a whole. */
const PIECE_BYTES = 1024 * 1024;

export function databaseBlobs(db: PlatformDb): Blobs {
  return {
    place: "the database",
    has: async (sha256) => (await readPiece(db, sha256, 0)) !== undefined,
    put: (sha256, file) => tryAgain(() => storePieces(db, sha256, file)),
    async get(sha256) {
      const first = await readPiece(db, sha256, 0);
      return first && piecesFrom(db, sha256, first);
    },
    // The pieces are gone with the row.
    delete: () => Promise.resolve(),
  };
}

/** Stores the pieces that are not there. */
function storePieces(db: PlatformDb, sha256: string, file: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    let position = 0;
    // An empty file has one empty piece.
    for await (const bytes of piecesOf(file)) {
      await tx
        .insertInto("blob_pieces")
        .values({ sha256, position, bytes })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      position += 1;
    }
  });
}

async function* piecesOf(file: string): AsyncGenerator<Buffer> {
  let any = false;
  for await (const bytes of createReadStream(file, { highWaterMark: PIECE_BYTES })) {
    any = true;
    yield bytes as Buffer;
  }
  if (!any) yield Buffer.alloc(0);
}

async function* piecesFrom(db: PlatformDb, sha256: string, first: Uint8Array): AsyncGenerator<Uint8Array> {
  let piece: Uint8Array | undefined = first;
  for (let position = 1; piece; position++) {
    yield piece;
    piece = await readPiece(db, sha256, position);
  }
}

async function readPiece(db: PlatformDb, sha256: string, position: number): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom("blob_pieces")
    .select("bytes")
    .where("sha256", "=", sha256)
    .where("position", "=", position)
    .executeTakeFirst();
  return row?.bytes;
}
