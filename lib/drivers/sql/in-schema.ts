import {
  IdentifierNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type SchemableIdentifierNode,
  type UnknownRow,
} from "kysely";

/**
 * Qualifies the names of tables with their schema, so that one pool serves all schemas of a database, also through a proxy that
 * gives each transaction another connection. Statements in text name tables by `sql.table`. Kysely's own plugin does not qualify
 * these, unless the rest of the statement names the table too.
 */
export class InSchema extends OperationNodeTransformer implements KyselyPlugin {
  readonly #schema: IdentifierNode;
  readonly #tables: ReadonlySet<string>;

  constructor(schema: string, tables: readonly string[]) {
    super();
    this.#schema = IdentifierNode.create(schema);
    this.#tables = new Set(tables);
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.transformNode(node, queryId);
  }

  transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return Promise.resolve(result);
  }

  protected override transformSchemableIdentifier(node: SchemableIdentifierNode): SchemableIdentifierNode {
    const isTable = node.schema === undefined && this.#tables.has(node.identifier.name);
    return isTable ? { ...node, schema: this.#schema } : node;
  }
}
