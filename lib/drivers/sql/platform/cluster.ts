import type { PlatformDb } from "./tables.ts";

/** Returns the id of the servers that share this database. */
export async function readClusterId(db: PlatformDb): Promise<string> {
  return (await db.selectFrom("cluster").select("cluster_id").executeTakeFirstOrThrow()).cluster_id;
}
