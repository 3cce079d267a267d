/** Composes where servers that share a database keep files for each other. */
import type { Blobs } from "../drivers/blobs/blobs.ts";
import { databaseBlobs } from "../drivers/blobs/database.ts";
import { folderBlobs } from "../drivers/blobs/folder.ts";
import { createNamedBlobs, type NamedBlobs } from "../drivers/blobs/named-blobs.ts";
import type { PlatformDb } from "../drivers/sql/platform/tables.ts";
import { type BlobPlace, type Environment, readS3Environment } from "../env.ts";
import { basics } from "./deployment.ts";

/** Returns undefined for a server that has its database for itself. */
export async function openBlobs(db: PlatformDb, environment: Environment): Promise<NamedBlobs | undefined> {
  if (environment.GRAPHLIB_ROLES === undefined) return undefined;
  return createNamedBlobs(db, await blobsIn(environment.GRAPHLIB_BLOBS, db), basics.clock.now);
}

/** The client of S3 is loaded only by servers that use it. */
async function blobsIn(place: BlobPlace, db: PlatformDb): Promise<Blobs> {
  if (place === "database") return databaseBlobs(db);
  if ("folder" in place) return folderBlobs(place.folder);
  const { s3Blobs } = await import("../drivers/blobs/s3.ts");
  return s3Blobs({ ...place, ...readS3Environment() });
}
