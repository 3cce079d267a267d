import { type Compilable, type CompiledQuery, type Kysely, sql } from "kysely";
import { executeAtOnce } from "./transaction.ts";

/** Placeholder in a query for a value that is bound at each call. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Builds and compiles a query once; each call only binds its values. Building costs more than a small statement itself
 * (0.03 ms against 0.01 ms on SQLite), so all statements that every run executes are prepared. Works with any dialect.
 * `build` gets placeholders in place of the first call's values. A row to insert has the same members at each call.
 */
export function prepared<Input extends object, Row>(
  build: (input: Input) => Compilable<Row>,
): (db: Pick<Kysely<never>, "executeQuery">, input: Input) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, input) => {
    compiled ??= build(slotsOf(input)).compile();
    // The input has the members of the first one, after which the slots are named.
    const values = input as Readonly<Record<string, unknown>>;
    const parameters = compiled.parameters.map((value) => (value instanceof Slot ? values[value.name] : value));
    // The statement returns such rows, whoever executes it.
    const rows = executeAtOnce(db, compiled.sql, parameters) as Row[] | undefined;
    return rows ?? (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}

/** Casts slots to the values' types. Only Kysely sees them and passes them on untouched; `prepared` replaces them. */
function slotsOf<Input extends object>(input: Input): Input {
  return Object.fromEntries(Object.keys(input).map((name) => [name, new Slot(name)])) as Input;
}

/**
 * A bound text or number that SQLite does not inspect. It inspects a bare parameter that is a limit, that may help to choose
 * an index, or that a column of an ordered statement equals, and plans the statement again at every binding: 7 us instead of 1,
 * and 70 instead of 5 for a claim.
 */
export const boundText = (value: string) => sql<string>`cast(${value} as text)`;
export const boundNumber = (value: number) => sql<number>`cast(${value} as integer)`;
