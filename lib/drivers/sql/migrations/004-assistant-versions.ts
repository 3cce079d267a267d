import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const COLUMNS = "assistant_id, version, graph_id, name, description, config, context, metadata, created_at";

export const assistantVersions: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable("assistants")
      .addColumn("newest_version", "integer", (column) => column.notNull().defaultTo(1))
      .execute();
    await db.schema
      .createTable("assistant_versions")
      .addColumn("assistant_id", "text", (column) => column.notNull())
      .addColumn("version", "integer", (column) => column.notNull())
      .addColumn("graph_id", "text", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("description", "text")
      .addColumn("config", "text", (column) => column.notNull())
      .addColumn("context", "text", (column) => column.notNull())
      .addColumn("metadata", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("assistant_versions_key", ["assistant_id", "version"])
      .execute();
    await sql`insert into assistant_versions (${sql.raw(COLUMNS)}) select ${sql.raw(COLUMNS)} from assistants`.execute(
      db,
    );
  },
};
