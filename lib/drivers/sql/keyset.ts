import { type Expression, type SqlBool, sql } from "kysely";

/** The most rows of an index that are checked for one page of a search. What follows is the next page's. */
export const MOST_CHECKED = 10_000;

const BEYOND = { asc: sql`>`, desc: sql`<` };
const WITHIN = { asc: sql`<=`, desc: sql`>=` };

/**
 * Returns a condition: in this order, the row comes after a key (`BEYOND`) or not (`WITHIN`), by columns of an index. Each is
 * a comparison of rows, for which databases use the index.
 */
function compared(
  operators: typeof BEYOND,
  columns: readonly string[],
  key: readonly (string | number)[],
  order: "asc" | "desc",
): Expression<SqlBool> {
  const names = sql.join(columns.map((name) => sql.ref(name)));
  return sql`(${names}) ${operators[order]} (${sql.join(key)})`;
}

type Comparison = Parameters<typeof compared> extends [unknown, ...infer Rest] ? Rest : never;

export const comesAfter = (...comparison: Comparison): Expression<SqlBool> => compared(BEYOND, ...comparison);
export const isUpTo = (...comparison: Comparison): Expression<SqlBool> => compared(WITHIN, ...comparison);
