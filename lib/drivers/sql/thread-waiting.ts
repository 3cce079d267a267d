import { type Expression, type SqlBool, sql } from "kysely";

/** Values of the column `waiting` of a thread. */
export const WAITING = {
  /** No node would come next. */
  nothing: 0,
  /** Nodes would come next: a person has to answer an interrupt, or to go on from a breakpoint. */
  person: 1,
  /** Nodes would come next, because a run was cancelled or failed. */
  stopped: 2,
} as const;

/** Returns a condition: the thread waits for a person, or it does not. */
export function isWaiting(waits: boolean): Expression<SqlBool> {
  const waiting = sql<SqlBool>`(${mayWait()} and threads.status = ${sql.lit("interrupted")})`;
  return waits ? waiting : sql`not ${waiting}`;
}

/** Returns the condition of the partial indexes `threads_waiting_*`. A thread that is being resumed fulfils it, too. */
export function mayWait(): Expression<SqlBool> {
  return sql`threads.waiting = ${sql.lit(WAITING.person)}`;
}

/** Returns the condition of the partial indexes `threads_rare_*`: the thread has a status that few threads have for long. */
export function isRare(): Expression<SqlBool> {
  return sql`threads.status in (${sql.lit("interrupted")}, ${sql.lit("error")})`;
}
