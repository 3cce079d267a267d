import type { Compilable, CompiledQuery, Kysely } from "kysely";

/** Placeholder in a query for a value that is bound at each call. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Returns a placeholder for `input[name]` while a query is built, with that value's type. Each call binds it. */
export type Param<Input> = <Name extends keyof Input & string>(name: Name) => Input[Name];

/**
 * Builds and compiles a query once; each call only binds its values. Building costs more than a small statement itself
 * (0.03 ms against 0.01 ms on SQLite), so all statements that every run executes are prepared. Works with any dialect.
 */
export function prepared<Input extends object, Row>(
  build: (param: Param<Input>) => Compilable<Row>,
): (db: Pick<Kysely<never>, "executeQuery">, input: Input) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, input) => {
    compiled ??= build(slot).compile();
    const values = new Map<string, unknown>(Object.entries(input));
    const parameters = compiled.parameters.map((value) => (value instanceof Slot ? values.get(value.name) : value));
    const result = await db.executeQuery<Row>({ ...compiled, parameters });
    return result.rows;
  };
}

/** Returns a row of placeholders: each column is bound from the input member of its name. */
export function bound<Row extends object>(param: Param<Row>, columns: readonly (keyof Row & string)[]): Row {
  // The row is complete if `columns` is; otherwise the first insert fails.
  return Object.fromEntries(columns.map((column) => [column, param(column)])) as Row;
}

/** Casts a slot to its value's type. Only Kysely sees it and passes it on untouched; `prepared` replaces it. */
function slot<Value>(name: string): Value {
  return new Slot(name) as Value;
}
