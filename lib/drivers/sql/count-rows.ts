import { type SelectQueryBuilder, sql } from "kysely";

/** Returns how many rows a query selects. */
export async function countRows<DB, TB extends keyof DB>(query: SelectQueryBuilder<DB, TB, object>): Promise<number> {
  const counted = query.select(sql`count(*)`.as("n")).$castTo<{ n: number }>();
  return (await counted.executeTakeFirstOrThrow()).n;
}
