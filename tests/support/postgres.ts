import pg from "pg";
import type { Shape } from "../../lib/drivers/sql/migrate.ts";
import { openSchema } from "../../lib/drivers/sql/postgres.ts";
import { createPool } from "../../lib/drivers/sql/postgres-connection.ts";

/**
 * Returns the URL of a database for tests: `DATABASE_URL`, else `test` on this machine's server. Undefined when it
 * cannot be reached.
 */
export async function findPostgres(): Promise<string | undefined> {
  const user = process.env.PGUSER ?? "postgres";
  const url = process.env.DATABASE_URL || `postgres://${encodeURIComponent(user)}@127.0.0.1:5432/test`;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return url;
  } catch (error) {
    const { host, pathname } = new URL(url);
    console.warn(
      `PostgreSQL is not in reach at ${host}${pathname} (${String(error)}): its half of the tests did not run.`,
    );
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Returns the URL with commits that do not wait for the disk. A test needs no data to survive a crash of the machine.
 */
export function withoutDiskSync(url: string): string {
  const changed = new URL(url);
  changed.searchParams.set("options", "-c synchronous_commit=off");
  return changed.href;
}

/** Opens a schema with a pool of its own, which is closed with `db.destroy()`. */
export async function openPostgres<T>(url: string, schema: string, shape: Shape<T>, size = 10, idleMs?: number) {
  const pool = createPool(url, { size, name: schema, idleMs });
  const opened = await openSchema(pool, url, schema, shape).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const destroy = opened.db.destroy.bind(opened.db);
  opened.db.destroy = async () => {
    await destroy();
    await pool.end();
  };
  return opened;
}

/** Executes one statement on a connection of its own. */
export async function queryPostgres<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

/** Terminates all of Graphlib's connections of this name, as a restart of the database does. Returns their number. */
export async function breakConnections(url: string, name: string): Promise<number> {
  const broken = await queryPostgres(
    url,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()",
    [`graphlib ${name}`],
  );
  return broken.length;
}
