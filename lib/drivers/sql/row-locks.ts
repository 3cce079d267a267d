/**
 * The order in which PostgreSQL locks rows. A group of writes that takes its locks as the writes come, against one of another
 * server that takes them in another order, is a deadlock: PostgreSQL notices it after a second, and ends one of both. So a group
 * locks first all runs that it writes, then all threads, each by their ids.
 */
import { type Compilable, type SqlBool, sql } from "kysely";
import type { LockRows, Locks } from "./group-commit.ts";
import { prepared } from "./prepared.ts";
import type { Db, Tables } from "./tables.ts";

interface LockedIds {
  runs: readonly string[];
  threads: readonly string[];
  /** Runs whose threads are locked with them. */
  threadsOf: readonly string[];
}

export function rowLocks(db: Db): LockRows<Tables> {
  const lockRuns = prepared((input: Pick<LockedIds, "runs">) => selectRuns(db, input));
  const lockThreads = prepared((input: Omit<LockedIds, "runs">) => selectThreads(db, input));
  return async (tx, locks) => {
    const [threads, threadsOf] = [idsOf(locks, "thread"), idsOf(locks, "threadOf")];
    const runs = [...idsOf(locks, "run"), ...threadsOf];
    await Promise.all([runs.length > 0 && lockRuns(tx, { runs }), lockThreads(tx, { threads, threadsOf })]);
  };
}

function idsOf(locks: readonly Locks[], of: keyof Locks): string[] {
  return locks.flatMap((one) => one[of] ?? []);
}

function selectRuns(db: Db, { runs }: Pick<LockedIds, "runs">): Compilable {
  const isOne = sql<SqlBool>`run_id = any(${runs})`;
  return db.selectFrom("runs").select("run_id").where(isOne).orderBy("run_id").forNoKeyUpdate();
}

function selectThreads(db: Db, { threads, threadsOf }: Omit<LockedIds, "runs">): Compilable {
  const ofRuns = db
    .selectFrom("runs")
    .select("thread_id")
    .where(sql<SqlBool>`run_id = any(${threadsOf})`);
  // An array is read first, whatever the plan, so that each thread is found by its key.
  const isOne = sql<SqlBool>`thread_id = any(array(select unnest(${threads}::text[]) union all ${ofRuns}))`;
  return db.selectFrom("threads").select("thread_id").where(isOne).orderBy("thread_id").forNoKeyUpdate();
}
