import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";
import { isPostgres } from "../dialect.ts";

/** Files that servers which share this database hand to each other, what each says of its deployments, and cancelled builds. */
export const blobs: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable("blobs")
      .addColumn("sha256", "text", (column) => column.primaryKey())
      .addColumn("bytes", "integer", (column) => column.notNull())
      .addColumn("stored_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("blob_names")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("sha256", "text", (column) => column.notNull())
      .addColumn("details", "text", (column) => column.notNull())
      .addColumn("used_at", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("blob_names_by_sha256").on("blob_names").column("sha256").execute();
    await db.schema
      .createTable("blob_pieces")
      .addColumn("sha256", "text", (column) => column.notNull().references("blobs.sha256").onDelete("cascade"))
      .addColumn("position", "integer", (column) => column.notNull())
      .addColumn("bytes", "blob", (column) => column.notNull())
      .addPrimaryKeyConstraint("blob_pieces_key", ["sha256", "position"])
      .execute();
    // The pieces are compressed already.
    if (isPostgres(db))
      await sql`alter table ${sql.table("blob_pieces")} alter column bytes set storage external`.execute(db);
    await db.schema
      .alterTable("executors")
      .addColumn("deployments", "text", (column) => column.notNull().defaultTo("{}"))
      .execute();
    await db.schema
      .alterTable("revisions")
      .addColumn("cancelling", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
