/** Composes the databases of a server from its settings. */
import { createDatabases, type Databases } from "../drivers/sql/databases.ts";
import { terminalLogger } from "../drivers/terminal-logger.ts";
import type { Environment } from "../env.ts";
import { sharedSchemas } from "./sharing.ts";

export function databasesOf(environment: Environment): Databases {
  const { GRAPHLIB_HOME: home, DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl } = environment;
  const { DATABASE_POOLED: pooled, DATABASE_SCHEMA: prefix, DATABASE_POOL: poolSize } = environment;
  const shared = sharedSchemas(environment);
  return createDatabases({ home, url, directUrl, pooled, prefix, poolSize, shared, logger: terminalLogger });
}
