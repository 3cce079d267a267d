import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { LockRows } from "./group-commit.ts";
import { errorMessage } from "../../rules/text/error-message.ts";

/** The tables of a database and the migrations that create them. */
export interface Shape<T> {
  /** Migrations in the order of their names. A released migration is never changed. */
  readonly steps: Readonly<Record<string, Migration>>;
  /** Returns how the rows of a group of writes are locked on a database server. */
  readonly rowLocks?: (db: Kysely<T>) => LockRows<T>;
  /** Always absent. It carries the type of the tables that the steps create. */
  readonly tables?: T;
}

/**
 * Migrates a database, or the schema of this name in it, to its newest shape; creates a missing schema. Concurrent
 * calls wait for each other. Throws with the name of the migration that failed, and the reason.
 */
export async function migrate<T>(db: Kysely<T>, { steps }: Shape<T>, schema?: string): Promise<void> {
  const provider = { getMigrations: () => Promise.resolve({ ...steps }) };
  const migrator = new Migrator({ db, provider, migrationTableSchema: schema });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find((result) => result.status === "Error")?.migrationName;
  throw new Error(`Database migration${failed ? ` ${failed}` : ""} failed. ${errorMessage(error)}`, { cause: error });
}
