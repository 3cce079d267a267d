import { type DatabaseIntrospector, type Kysely, PostgresDialect, type PostgresDialectConfig } from "kysely";

interface Catalog {
  "pg_catalog.pg_namespace": { nspname: string };
  "pg_catalog.pg_tables": { schemaname: string; tablename: string };
}

/**
 * Tells Kysely's migrator whether one schema is there, and the names of its tables. Kysely's own introspection reads the
 * columns of all tables of the database: it fails while any schema is being dropped, and takes longer with each deployment.
 */
export class OneSchemaDialect extends PostgresDialect {
  readonly #schema: string;

  constructor(config: PostgresDialectConfig, schema: string) {
    super(config);
    this.#schema = schema;
  }

  override createIntrospector(db: Kysely<Catalog>): DatabaseIntrospector {
    const schema = this.#schema;
    return {
      getSchemas: () =>
        db.selectFrom("pg_catalog.pg_namespace").select("nspname as name").where("nspname", "=", schema).execute(),
      async getTables() {
        const rows = await db
          .selectFrom("pg_catalog.pg_tables")
          .select(["schemaname as schema", "tablename as name"])
          .where("schemaname", "=", schema)
          .execute();
        return rows.map((row) => ({ ...row, isView: false, isForeign: false, columns: [] }));
      },
    };
  }
}
