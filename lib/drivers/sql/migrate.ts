import { type Kysely, sql } from "kysely";
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration";
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

/** A migration with this in its name takes away what servers of earlier versions use. All others only add to it. */
const CONTRACT = "-contract-";

/**
 * Returns the migrations of a newer server, which this one need not know: servers are replaced one after the other. Throws if it
 * cannot use the database any more.
 */
async function newerMigrations<T>(db: Kysely<T>, steps: Shape<T>["steps"]): Promise<Record<string, Migration>> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return {};
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(steps, name));
  const contract = unknown.find((name) => name.includes(CONTRACT));
  if (contract !== undefined)
    throw new Error(
      `The database is of a newer version of Graphlib (${contract}): start that version instead of this one`,
    );
  return Object.fromEntries(unknown.map((name) => [name, { up: () => Promise.resolve() }]));
}

/**
 * Migrates a database, or the schema of this name in it, to its newest shape; creates a missing schema. Concurrent
 * calls wait for each other. Throws with the name of the migration that failed, and the reason.
 */
export async function migrate<T>(db: Kysely<T>, { steps }: Shape<T>, schema?: string): Promise<void> {
  const newer = await newerMigrations(db, steps);
  const provider = { getMigrations: () => Promise.resolve({ ...steps, ...newer }) };
  const migrator = new Migrator({ db, provider, migrationTableSchema: schema });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find((result) => result.status === "Error")?.migrationName;
  throw new Error(`Database migration${failed ? ` ${failed}` : ""} failed. ${errorMessage(error)}`, { cause: error });
}
