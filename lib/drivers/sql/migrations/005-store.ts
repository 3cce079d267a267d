import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

export const store: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("store_items")
      .addColumn("item_id", "text", (column) => column.notNull().unique())
      // Text is ordered by its bytes, so namespaces that begin with the same labels form one range.
      .addColumn("namespace", "text", (column) => column.notNull())
      .addColumn("key", "text", (column) => column.notNull())
      .addColumn("value", "text", (column) => column.notNull())
      .addColumn("ttl", "real")
      .addColumn("expires", "bigint")
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("updated_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("store_items_key", ["namespace", "key"])
      .execute();
    await db.schema
      .createIndex("store_items_order")
      .on("store_items")
      .columns(["namespace", "item_id", "expires"])
      .execute();
    await db.schema
      .createIndex("store_items_expires")
      .on("store_items")
      .column("expires")
      .where(sql.ref("expires"), "is not", null)
      .execute();
    await db.schema
      .createTable("store_vectors")
      .addColumn("item_id", "text", (column) => column.notNull())
      .addColumn("path", "text", (column) => column.notNull())
      .addColumn("vector", "blob", (column) => column.notNull())
      .addPrimaryKeyConstraint("store_vectors_key", ["item_id", "path"])
      .execute();
  },
};
