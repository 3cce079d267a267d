import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { runs } from "./migrations/001-runs.ts";
import { assistants } from "./migrations/002-assistants.ts";
import { tasks } from "./migrations/003-tasks.ts";

/** In order of their names; one that has landed is never changed. */
const migrations: Record<string, Migration> = {
  "001-runs": runs,
  "002-assistants": assistants,
  "003-tasks": tasks,
};

/** Brings a database to the newest shape. Throws with the name of the step that failed. */
export async function migrate<T>(db: Kysely<T>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find((result) => result.status === "Error")?.migrationName;
  throw new Error(`Database migration${failed ? ` ${failed}` : ""} failed`, { cause: error });
}
