import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { PlatformTables } from "./tables.ts";

/** Gives the platform an id, which tells its servers from others of the same Redis. */
export const cluster: Migration = {
  async up(db: Kysely<PlatformTables>) {
    await db.schema
      .createTable("cluster")
      .addColumn("cluster_id", "text", (column) => column.primaryKey())
      .execute();
    await db.insertInto("cluster").values({ cluster_id: crypto.randomUUID() }).execute();
  },
};
