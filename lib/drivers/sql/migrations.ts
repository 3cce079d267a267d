import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { runs } from "./migrations/001-runs.ts";
import { assistants } from "./migrations/002-assistants.ts";
import { tasks } from "./migrations/003-tasks.ts";
import { threads } from "./migrations/007-threads.ts";
import { crons } from "./migrations/008-crons.ts";
import { webhooks } from "./migrations/009-webhooks.ts";
import { checkpoints } from "./migrations/006-checkpoints.ts";
import { assistantVersions } from "./migrations/004-assistant-versions.ts";
import { store } from "./migrations/005-store.ts";

/** In order of their names; one that has landed is never changed. */
const migrations: Record<string, Migration> = {
  "001-runs": runs,
  "002-assistants": assistants,
  "003-tasks": tasks,
  "007-threads": threads,
  "006-checkpoints": checkpoints,
  "004-assistant-versions": assistantVersions,
  "005-store": store,
  "008-crons": crons,
  "009-webhooks": webhooks,
};

/**
 * Brings a database to the newest shape, or the schema of this name in it, which is made when it is not there. Others
 * who do so at the same time wait. Throws with the name of the step that failed.
 */
export async function migrate<T>(db: Kysely<T>, schema?: string): Promise<void> {
  const provider = { getMigrations: () => Promise.resolve(migrations) };
  const migrator = new Migrator({ db, provider, migrationTableSchema: schema });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find((result) => result.status === "Error")?.migrationName;
  throw new Error(`Database migration${failed ? ` ${failed}` : ""} failed`, { cause: error });
}
