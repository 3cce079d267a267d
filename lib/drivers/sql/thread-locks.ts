import { Fault } from "../../protocol/faults.ts";
import { isPostgres, lockForUpdate } from "./dialect.ts";
import { inFlightCount, inFlightRuns } from "./in-flight.ts";
import { prepared } from "./prepared.ts";
import type { Db } from "./tables.ts";

/** Locks of threads, which last until the transaction ends. The statement after one sees all that was committed before it. */
export function threadLocks(db: Db) {
  const select = prepared((input: { thread_id: string }) =>
    lockForUpdate(db, db.selectFrom("threads").select("thread_id").where("thread_id", "=", input.thread_id)),
  );
  /** No run of the thread is stored or claimed meanwhile. SQLite has one writing transaction at a time. */
  const lock = async (tx: Db, thread_id: string): Promise<void> => {
    if (isPostgres(db)) await select(tx, { thread_id });
  };
  return {
    lock,
    /** Locks a thread and its runs that have not ended, so that nobody else writes its checkpoints. */
    async lockHistory(tx: Db, threadId: string): Promise<void> {
      await lockForUpdate(tx, inFlightRuns(tx, threadId).select("run_id").orderBy("run_id")).execute();
      await lock(tx, threadId);
    },
    /** Locks a thread. Faults: `conflict` while runs of it have not ended. */
    async requireAtRest(tx: Db, threadId: string): Promise<void> {
      await lock(tx, threadId);
      if ((await inFlightCount(tx, threadId)) > 0) throw new Fault("conflict", "Thread is busy");
    },
  };
}
