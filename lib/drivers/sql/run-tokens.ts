/** Fences of runs: a write whose claim is lost changes nothing. */
import { sql } from "kysely";
import { Fault } from "../../protocol/faults.ts";
import { HOST, type RequestOrigin } from "../../protocol/host-requests.ts";
import { lockShared } from "./dialect.ts";
import type { GroupCommit, Locks } from "./group-commit.ts";
import { prepared } from "./prepared.ts";
import type { Db, Tables } from "./tables.ts";
import { knownIn, type Write } from "./transaction.ts";

/** Forgets which tokens are current, because a statement of the transaction may have changed one. */
export function forgetTokens(tx: Db): void {
  knownIn(tx)?.clear();
}

/**
 * Commits a write of a requester. Faults: `conflict` when the requester is a run whose claim is lost; then nothing is written.
 * `byHost` names the rows that a write of the host locks; one of a run locks the run.
 */
export type FencedCommit = <R>(origin: RequestOrigin, write: Write<Tables, R>, byHost?: Locks) => Promise<R>;

/** The same transaction checks the claim and writes, so that nobody takes the run over in between. */
export function fencedCommit(db: Db, commit: GroupCommit<Tables>): FencedCommit {
  const isCurrent = tokenCheck(db);
  return async ({ run, token }, write, byHost = {}) => {
    const isHost = token === HOST.token;
    const result = await commit(
      async (tx) => (isHost || (await isCurrent(tx, run, token)) ? { of: await write(tx) } : undefined),
      isHost ? byHost : { run },
    );
    if (!result)
      throw new Fault("conflict", `Run ${run} has ended, or another process executes it: it can't write any more`);
    return result.of;
  };
}

/** Returns a check of a token, which costs one statement for all changes of a run in one transaction. */
function tokenCheck(db: Db): (tx: Db, run: string, token: number) => Promise<boolean> {
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
