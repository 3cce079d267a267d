/** Translates store filters to SQL. */
import { type Expression, type Kysely, sql, type SqlBool } from "kysely";
import type { FilterOperator } from "../../protocol/store.ts";
import type { FilterCondition } from "../../rules/store/items.ts";
import { isPostgres } from "./dialect.ts";

type Scalar = string | number | boolean | null;
const ORDER = { $gt: sql`>`, $gte: sql`>=`, $lt: sql`<`, $lte: sql`<=` };

/**
 * Returns an SQL condition on a member of the JSON object in `store_items.value`. It holds for all rows that match by
 * `matchesFilter`, and for few others. Returns undefined when only `matchesFilter` can decide.
 */
export function prefilter<T>(
  db: Kysely<T>,
  { member, operator, operand }: FilterCondition,
): Expression<SqlBool> | undefined {
  if (!isPlain(member)) return undefined;
  const test = isPostgres(db) ? postgresTest : sqliteTest;
  if (operator === "$in" && Array.isArray(operand)) {
    if (operand.length === 0) return sql<SqlBool>`1 = 0`;
    const tests = operand.map((one) => (isPlain(one) ? test(member, "$eq", one) : undefined));
    if (tests.length > 50 || !tests.every((one) => one !== undefined)) return undefined;
    return sql<SqlBool>`(${sql.join(tests, sql` or `)})`;
  }
  return isPlain(operand) ? test(member, operator, operand) : undefined;
}

/** Returns whether both databases store and compare a value unchanged. */
function isPlain(value: unknown): value is Scalar {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  return value === null || typeof value === "number" || typeof value === "boolean";
}

/** Builds a condition that compares numbers as JavaScript does: SQLite would keep all digits of integers above 2^53. */
function sqliteTest(member: string, operator: FilterOperator, operand: Scalar): Expression<SqlBool> | undefined {
  const has = (test: Expression<unknown>) =>
    sql<SqlBool>`exists (select 1 from json_each(store_items.value) as m where m.key = ${member} and ${test})`;
  if (operator === "$eq") return has(sqliteEquals(operand));
  if (operator === "$ne") return sql<SqlBool>`not ${has(sqliteEquals(operand))}`;
  if (operator === "$in" || operator === "$nin") return undefined;
  if (typeof operand === "number")
    return has(sql`m.type in ('integer', 'real') and cast(m.value as real) ${ORDER[operator]} ${operand}`);
  if (typeof operand === "string") return has(sql`m.type = 'text' and m.value ${ORDER[operator]} ${operand}`);
  return sql<SqlBool>`1 = 0`;
}

function sqliteEquals(operand: Scalar): Expression<unknown> {
  if (typeof operand === "string") return sql`m.type = 'text' and m.value = ${operand}`;
  if (typeof operand === "number") return sql`m.type in ('integer', 'real') and cast(m.value as real) = ${operand}`;
  return sql`m.type = ${String(operand)}`;
}

function postgresTest(member: string, operator: FilterOperator, operand: Scalar): Expression<SqlBool> | undefined {
  const found = sql`(store_items.value::jsonb -> ${member}::text)`;
  const json = sql`${JSON.stringify(operand)}::jsonb`;
  if (operator === "$eq") return readable(sql`coalesce(${found} = ${json}, false)`);
  if (operator === "$ne") return readable(sql`${found} is distinct from ${json}`);
  if (operator === "$in" || operator === "$nin") return undefined;
  if (typeof operand === "number") {
    const number = sql`(${found} #>> '{}')::numeric`;
    return readable(
      sql`case when jsonb_typeof(${found}) = 'number' then ${number} ${ORDER[operator]} ${String(operand)}::numeric else false end`,
    );
  }
  if (typeof operand === "string") {
    const text = sql`(${found} #>> '{}') collate "C"`;
    return readable(
      sql`case when jsonb_typeof(${found}) = 'string' then ${text} ${ORDER[operator]} ${operand}::text else false end`,
    );
  }
  return sql<SqlBool>`1 = 0`;
}

/** Skips the test for JSON text with an escaped NUL or half a surrogate pair, which PostgreSQL refuses to parse. */
function readable(test: Expression<unknown>): Expression<SqlBool> {
  return sql<SqlBool>`case when store_items.value ~ '\\\\u(0000|d[89a-f])' then true else ${test} end`;
}
