import { findPostgres, queryPostgres } from "./postgres.ts";
import { startServer, type TestServer } from "./server.ts";

/** Long enough that a busy machine keeps its leases, and short enough to wait for. */
const LEASE_SECONDS = 8;
const SECRET = "a secret that all servers of the test have";

export interface SharingServers {
  readonly isFound: boolean;
  readonly env: Record<string, string>;
  /** Starts a server with these roles, divided by commas. */
  start(roles: string): Promise<TestServer>;
  /** Reads rows of a table of the default deployment. */
  read<Row extends Record<string, unknown>>(statement: (table: (name: string) => string) => string): Promise<Row[]>;
  /** Executes a statement on a table of the platform. */
  execute(statement: (table: (name: string) => string) => string): Promise<void>;
  close(): Promise<void>;
}

/** Starts servers that share schemas of a PostgreSQL database, and a bus if `more` names one. */
export async function sharingServers(
  app: string,
  name: string,
  more: Record<string, string> = {},
): Promise<SharingServers> {
  const found = await findPostgres();
  const url = found ?? "";
  const prefix = `graphlib_${name}_${process.pid}`;
  const started: TestServer[] = [];
  const env = {
    DATABASE_URL: url,
    DATABASE_SCHEMA: prefix,
    GRAPHLIB_SECRET: SECRET,
    GRAPHLIB_LEASE_SECONDS: String(LEASE_SECONDS),
    GRAPHLIB_GRACE_SECONDS: "0",
    ...more,
  };
  return {
    isFound: found !== undefined,
    env,
    async start(roles) {
      const server = await startServer({ app, env: { ...env, GRAPHLIB_ROLES: roles } });
      started.push(server);
      return server;
    },
    read: (statement) =>
      queryPostgres(
        url,
        statement((table) => `"${prefix}_default"."${table}"`),
      ),
    async execute(statement) {
      await queryPostgres(
        url,
        statement((table) => `"${prefix}_platform"."${table}"`),
      );
    },
    async close() {
      await Promise.all(started.map((server) => server.stop()));
      if (found === undefined) return;
      const schemas = await queryPostgres<{ name: string }>(
        url,
        "select schema_name as name from information_schema.schemata where starts_with(schema_name, $1)",
        [`${prefix}_`],
      );
      for (const { name: schema } of schemas) await queryPostgres(url, `drop schema if exists "${schema}" cascade`);
    },
  };
}
