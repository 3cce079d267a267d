import pg from "pg";

/** Of a database for tests: `DATABASE_URL`, else `test` of a server on this machine. Undefined when none is in reach. */
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

/** The same database for connections that do not wait for the disk: a test needs nothing to outlive the machine. */
export function inHaste(url: string): string {
  const changed = new URL(url);
  changed.searchParams.set("options", "-c synchronous_commit=off");
  return changed.href;
}

/** One statement on a connection of its own. */
export async function askPostgres<Row extends pg.QueryResultRow>(
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

/** Ends all other connections of Graphlib to this database that use this schema, as a server that restarts does. */
export async function breakConnections(url: string, schema: string): Promise<number> {
  const broken = await askPostgres(
    url,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()",
    [`graphlib ${schema}`],
  );
  return broken.length;
}
