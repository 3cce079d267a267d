import {
  type ColumnDataType,
  type ColumnDefinitionNode,
  DataTypeNode,
  Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type PostgresPool,
  type PostgresPoolClient,
  type QueryId,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  type UnknownRow,
} from "kysely";
import pg from "pg";
import { storable } from "./dialect.ts";
import { type GroupCommit, groupCommit } from "./group-commit.ts";
import { migrate, type Shape } from "./migrate.ts";
import { OneSchemaDialect } from "./one-schema-dialect.ts";
import { pipelined } from "./pipelined.ts";
import { connectionTo, connectOrExplain } from "./postgres-connection.ts";

/** Size of the pool: readers and one writer. PostgreSQL allows 100 connections in all by default. */
const CONNECTIONS = 10;

/**
 * Opens a schema of a PostgreSQL database; creates and migrates it first, one server at a time. `url` is
 * `postgres://user:password@host:port/database`. A broken connection fails only the statements in progress on it.
 * Writes wait for an unavailable database; `onUnavailable` is called when one has to.
 */
export async function openPostgres<T>(
  url: string,
  schema: string,
  shape: Shape<T>,
  onUnavailable: (cause: unknown) => void = () => undefined,
): Promise<{ db: Kysely<T>; commit: GroupCommit<T> }> {
  const pool = new pg.Pool({ ...connectionTo(url, schema), max: CONNECTIONS, types: typesOfPool() });
  // The pool drops a broken idle connection and emits "error", which would end the process without a listener.
  pool.on("error", () => undefined);
  // A broken connection in use rejects its queries and emits "error" too.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const prepared = preparing(pool);
  const db = new Kysely<T>({ dialect: new OneSchemaDialect({ pool: prepared }, schema) });
  try {
    (await connectOrExplain(url, () => pool.connect())).release();
    await migrate(db.withPlugin(new SqliteTypes()), shape, schema);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    db,
    commit: groupCommit(db, { transact: pipelined(prepared, onUnavailable), lockRows: shape.rowLocks?.(db) }),
  };
}

/** Removes a schema with all that is in it; there may be none. Nobody may have it open. */
export async function dropSchema(url: string, schema: string): Promise<void> {
  const client = new pg.Client(connectionTo(url, schema));
  client.on("error", () => undefined);
  await connectOrExplain(url, () => client.connect());
  try {
    await client.query(`drop schema if exists ${client.escapeIdentifier(schema)} cascade`);
  } finally {
    await client.end();
  }
}

/** Parses `bigint` and `numeric` (sums, counts) as numbers: times in ms and all counts stay below 2^53. */
function typesOfPool(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  return types;
}

/** The most statements that a connection prepares. There are few distinct ones: code builds them, values are bound. */
const STATEMENTS = 200;

function preparing(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= STATEMENTS) return known;
    const name = `graphlib_${names.size}`;
    names.set(text, name);
    return name;
  };
  return {
    options: pool.options,
    end: () => pool.end(),
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

/**
 * Translates the SQLite types that migrations use: integers and reals have 64 bits, a blob is bytes, and text is
 * compared by its bytes.
 */
class SqliteTypes extends OperationNodeTransformer implements KyselyPlugin {
  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.transformNode(node, queryId);
  }

  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result);
  }

  protected override transformColumnDefinition(node: ColumnDefinitionNode, queryId?: QueryId): ColumnDefinitionNode {
    const type = DataTypeNode.is(node.dataType) ? POSTGRES_TYPES[node.dataType.dataType] : undefined;
    const column = super.transformColumnDefinition(node, queryId);
    return type === undefined ? column : { ...column, dataType: RawNode.createWithSql(type) };
  }
}

const POSTGRES_TYPES: Partial<Record<ColumnDataType, string>> = {
  integer: "bigint",
  real: "double precision",
  blob: "bytea",
  text: 'text collate "C"',
};
