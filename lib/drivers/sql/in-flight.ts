import { sql } from "kysely";
import { countRows } from "./count-rows.ts";
import type { Db } from "./tables.ts";

/** Selects the runs of a thread that have not ended. */
export function inFlightRuns(tx: Db, threadId: string) {
  const inThread = tx.selectFrom("runs").where("thread_id", "=", threadId).where("threaded", "=", sql.lit(1));
  return inThread.where("ended", "is", null);
}

export async function inFlightCount(tx: Db, threadId: string): Promise<number> {
  return await countRows(inFlightRuns(tx, threadId));
}
