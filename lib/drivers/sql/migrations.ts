import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";

/** In order of their names; one that has landed is never changed. */
const migrations: Record<string, Migration> = {
  "001-runs": {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("runs")
        .addColumn("run_id", "text", (column) => column.primaryKey())
        .addColumn("thread_id", "text", (column) => column.notNull())
        .addColumn("assistant_id", "text", (column) => column.notNull())
        .addColumn("graph_id", "text", (column) => column.notNull())
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("metadata", "text", (column) => column.notNull())
        .addColumn("kwargs", "text", (column) => column.notNull())
        .addColumn("multitask_strategy", "text", (column) => column.notNull())
        .addColumn("created_at", "text", (column) => column.notNull())
        .addColumn("updated_at", "text", (column) => column.notNull())
        .addColumn("due", "bigint", (column) => column.notNull())
        .addColumn("ended", "bigint")
        .addColumn("token", "integer", (column) => column.notNull())
        .addColumn("last_event", "integer", (column) => column.notNull())
        .addColumn("error", "text")
        .addColumn("keep", "integer", (column) => column.notNull())
        .execute();
      // Partial: the claim looks at what waits, never at history.
      await db.schema
        .createIndex("runs_active")
        .on("runs")
        .columns(["status", "due", "run_id"])
        .where(sql.ref("ended"), "is", null)
        .execute();
      await db.schema
        .createIndex("runs_ended")
        .on("runs")
        .columns(["ended", "status"])
        .where(sql.ref("ended"), "is not", null)
        .execute();
      await db.schema
        .createTable("run_events")
        .addColumn("run_id", "text", (column) => column.notNull())
        .addColumn("first_event", "integer", (column) => column.notNull())
        .addColumn("last_event", "integer", (column) => column.notNull())
        .addColumn("lines", "text", (column) => column.notNull())
        .addPrimaryKeyConstraint("run_events_key", ["run_id", "first_event"])
        .execute();
    },
  },
  "002-assistants": {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("assistants")
        .addColumn("assistant_id", "text", (column) => column.primaryKey())
        .addColumn("graph_id", "text", (column) => column.notNull())
        .addColumn("name", "text", (column) => column.notNull())
        .addColumn("description", "text")
        .addColumn("config", "text", (column) => column.notNull())
        .addColumn("context", "text", (column) => column.notNull())
        .addColumn("metadata", "text", (column) => column.notNull())
        .addColumn("version", "integer", (column) => column.notNull())
        .addColumn("created_at", "text", (column) => column.notNull())
        .addColumn("updated_at", "text", (column) => column.notNull())
        .execute();
    },
  },
  "003-tasks": {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("tasks")
        .addColumn("task_id", "text", (column) => column.primaryKey())
        .addColumn("assistant_id", "text", (column) => column.notNull())
        .addColumn("context_id", "text", (column) => column.notNull())
        .addColumn("run_ids", "text", (column) => column.notNull())
        .addColumn("artifact_id", "text", (column) => column.notNull())
        .addColumn("history", "text", (column) => column.notNull())
        .addColumn("metadata", "text", (column) => column.notNull())
        .addColumn("created_at", "text", (column) => column.notNull())
        .execute();
      await db.schema.createIndex("tasks_context").on("tasks").columns(["context_id", "created_at"]).execute();
    },
  },
};

/** Brings a database to the newest shape. Throws with the name of the step that failed. */
export async function migrate<T>(db: Kysely<T>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find((result) => result.status === "Error")?.migrationName;
  throw new Error(`Database migration${failed ? ` ${failed}` : ""} failed`, { cause: error });
}
