import {
  type ColumnDataType,
  type ColumnDefinitionNode,
  DataTypeNode,
  Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  type UnknownRow,
} from "kysely";
import { migrate, type Shape } from "./migrate.ts";
import { OneSchemaDialect } from "./one-schema-dialect.ts";
import { connectOrExplain, createPool } from "./postgres-connection.ts";

/**
 * Creates a schema of a PostgreSQL database if it is missing, and migrates it, one server at a time. Migrations have a connection
 * of their own, on which the names of their tables are those of the schema. Returns the names of its tables.
 */
export async function migratePostgres<T>(url: string, schema: string, shape: Shape<T>): Promise<string[]> {
  const pool = createPool(url, { schema, size: 1 });
  const db = new Kysely<T>({ dialect: new OneSchemaDialect({ pool }, schema) });
  try {
    (await connectOrExplain(url, () => pool.connect())).release();
    await migrate(db.withPlugin(new SqliteTypes()), shape, schema);
    return (await db.introspection.getTables()).map(({ name }) => name);
  } finally {
    await db.destroy();
  }
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
