import type { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";

/** What a database looks like: its tables, and the steps that lead there. */
export interface Shape<T> {
  /** In order of their names; one that has landed is never changed. */
  readonly steps: Readonly<Record<string, Migration>>;
  /** Never there: says to the compiler which tables the steps make. */
  readonly tables?: T;
}

/**
 * Brings a database to its newest shape, or the schema of this name in it, which is made when it is not there. Others
 * who do so at the same time wait. Throws with the name of the step that failed.
 */
export async function migrate<T>(db: Kysely<T>, { steps }: Shape<T>, schema?: string): Promise<void> {
  const provider = { getMigrations: () => Promise.resolve({ ...steps }) };
  const migrator = new Migrator({ db, provider, migrationTableSchema: schema });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find((result) => result.status === "Error")?.migrationName;
  throw new Error(`Database migration${failed ? ` ${failed}` : ""} failed`, { cause: error });
}
