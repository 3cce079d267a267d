import {
  type ColumnDataType,
  type ColumnDefinitionNode,
  DataTypeNode,
  Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PostgresDialect,
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
import { type Commit, groupCommit } from "./group-commit.ts";
import { migrate, type Shape } from "./migrate.ts";
import { pipelined } from "./pipelined.ts";
import { connectionTo, reach } from "./postgres-connection.ts";

/** Readers and one writer; PostgreSQL itself allows 100 to all comers unless told otherwise. */
const CONNECTIONS = 10;

/**
 * Opens a schema of a PostgreSQL database, and makes and migrates it; servers that do so at the same time wait for each
 * other. `url` is `postgres://user:password@host:port/database`. A connection that breaks takes only the statements
 * that were under way with it; writes wait for a database that is away, of which `onAway`
 * tells.
 */
export async function openPostgres<T>(
  url: string,
  schema: string,
  shape: Shape<T>,
  onAway: (cause: unknown) => void = () => undefined,
): Promise<{ db: Kysely<T>; commit: Commit<T> }> {
  const pool = new pg.Pool({ ...connectionTo(url, schema), max: CONNECTIONS, types: typesOfPool() });
  // Idle connections that break are dropped by the pool, which tells of it by an event that must be heard, ...
  pool.on("error", () => undefined);
  // ... and those in use tell whoever waits for them, and by an event as well.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const prepared = preparing(pool);
  const db = new Kysely<T>({ dialect: new PostgresDialect({ pool: prepared }) });
  try {
    (await reach(url, () => pool.connect())).release();
    await migrate(db.withPlugin(new SqliteTypes()), shape, schema);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return { db, commit: groupCommit(db, pipelined(prepared, onAway)) };
}

/** `bigint` and `numeric` (sums, counts) as numbers: times in ms and what is counted here stay below 2^53. */
function typesOfPool(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  return types;
}

/** Distinct statements are few (they are built by code, values are bound), so each connection prepares each once. */
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

/** What `pg` answers is what Kysely was written for; cursors it would only ask for if it had been given them. */
function asKysely(query: (text: string, values: readonly unknown[]) => unknown): PostgresPoolClient["query"] {
  return query as PostgresPoolClient["query"];
}

function sendable(value: unknown): unknown {
  return typeof value === "string" ? storable(value) : value;
}

/**
 * Migrations say types as SQLite means them: an integer has 64 bits, a real number too, a blob is bytes, and text is
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
