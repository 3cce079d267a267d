/** Fences of runs: a write whose claim is lost changes nothing. */
import { sql } from "kysely";
import { lockShared } from "./dialect.ts";
import { prepared } from "./prepared.ts";
import type { Db } from "./tables.ts";
import { knownIn } from "./transaction.ts";

/** Forgets which tokens are current, because a statement of the transaction may have changed one. */
export function forgetTokens(tx: Db): void {
  knownIn(tx)?.clear();
}

/** Returns a check of a token, which costs one statement for all changes of a run in one transaction. */
export function tokenCheck(db: Db): (tx: Db, run: string, token: number) => Promise<boolean> {
  /** Locks the run as well, so that it can't end before the write is committed. */
  const find = prepared((input: { run_id: string; token: number }) =>
    lockShared(
      db,
      db
        .selectFrom("runs")
        .select("run_id")
        .where("run_id", "=", input.run_id)
        .where("token", "=", input.token)
        .where("status", "=", sql.lit("running")),
    ),
  );
  return async (tx, run, token) => {
    const known = knownIn(tx);
    const key = `${run} ${token}`;
    if (known?.has(key)) return true;
    const isCurrent = (await find(tx, { run_id: run, token })).length > 0;
    if (isCurrent) known?.add(key);
    return isCurrent;
  };
}
