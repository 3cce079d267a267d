import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { commitRecords } from "./commit-records.ts";
import { storable } from "./dialect.ts";
import { type GroupCommit, groupCommit } from "./group-commit.ts";
import { InSchema } from "./in-schema.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import type { Shape } from "./migrate.ts";
import { pipelined } from "./pipelined.ts";
import { connectionTo, connectOrExplain } from "./postgres-connection.ts";
import { retryingReads } from "./retried-reads.ts";

/**
 * Opens a schema of a PostgreSQL database; creates and migrates it first, one server at a time. Reads and writes wait for an
 * unavailable database. `url` is for the migration. The pool outlives the schema.
 */
export async function openSchema<T>(
  pool: pg.Pool,
  url: string,
  schema: string,
  shape: Shape<T>,
  { onUnavailable = () => undefined, pooled = false }: HowToOpen = {},
): Promise<{ db: Kysely<T>; commit: GroupCommit<T> }> {
  const plugins = [new InSchema(schema, await migratePostgres(url, schema, shape))];
  const prepared = preparing(pool, pooled ? 0 : STATEMENTS);
  const db = new Kysely<T>({ dialect: new PostgresDialect({ pool: retryingReads(prepared, onUnavailable) }), plugins });
  const transact = pipelined<T>({ pool: prepared, plugins, commits: commitRecords(schema), onUnavailable });
  return { db, commit: groupCommit(db, { transact, lockRows: shape.rowLocks?.(db) }) };
}

export interface HowToOpen {
  /** Is called when a read or write has to wait for the database. */
  onUnavailable?: (cause: unknown) => void;
  /** The pool leads to a pooler that gives each transaction another connection, so none is prepared for statements. */
  pooled?: boolean;
}

/** Removes a schema with all that is in it; there may be none. Nobody may have it open. */
export async function dropSchema(url: string, schema: string): Promise<void> {
  const client = new pg.Client(connectionTo(url, { schema }));
  client.on("error", () => undefined);
  await connectOrExplain(url, () => client.connect());
  try {
    await client.query(`drop schema if exists ${client.escapeIdentifier(schema)} cascade`);
  } finally {
    await client.end();
  }
}

/** The most statements of one schema that a connection prepares. There are few: code builds them, values are bound. */
const STATEMENTS = 200;
/** The schemas that were opened so far. Statements of each have names of their own. */
let opened = 0;

function preparing(pool: pg.Pool, most: number): PostgresPool {
  const schema = opened++;
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= most) return known;
    const name = `graphlib_${schema}_${names.size}`;
    names.set(text, name);
    return name;
  };
  return {
    options: pool.options,
    end: () => Promise.resolve(),
    async connect() {
      const client = await pool.connect();
      const query = (text: string, values: readonly unknown[]): Promise<unknown> =>
        client.query({ text, values: values.map(sendable), name: values.length > 0 ? nameOf(text) : undefined });
      return { query: asKysely(query), release: (destroy) => client.release(destroy) };
    },
  };
}

/** Casts a query function for Kysely, which was written for the results of `pg`. It never uses the cursor overload. */
function asKysely(query: (text: string, values: readonly unknown[]) => unknown): PostgresPoolClient["query"] {
  return query as PostgresPoolClient["query"];
}

function sendable(value: unknown): unknown {
  return typeof value === "string" ? storable(value) : value;
}
