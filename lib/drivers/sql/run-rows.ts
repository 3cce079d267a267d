import type { Selectable, SqlBool } from "kysely";
import type { ClaimedRun, NewRun, StoredRun } from "../../engine/ports/ports.ts";
import { isoTime } from "../../protocol/iso-time.ts";
import { packInput, unpackInput } from "../../protocol/raw-json.ts";
import type { RunKwargs } from "../../protocol/runs.ts";
import { fromJson } from "./json-column.ts";
import type { RunsTable } from "./tables.ts";

/** Returns the row of a new, pending run. */
export function toRow(run: NewRun): RunsTable {
  return {
    ...run,
    status: "pending",
    metadata: JSON.stringify(run.metadata),
    kwargs: packInput(run.kwargs),
    due: Date.parse(run.created_at),
    ended: null,
    token: 0,
    crashes: 0,
    executor: null,
    last_event: -1,
    error: null,
    keep: run.keep ? 1 : 0,
    threaded: run.threaded ? 1 : 0,
    rollback: 0,
    position: null,
    started_at: null,
    first_token_at: null,
  };
}

/** Value of the column `rollback` for a run that is to be deleted once it has ended. */
export const ROLLBACK = 1;
/** Value of the column `rollback` for a run that is only to end. */
export const CANCELLED = 2;

/** Inverts `packInput` in `toRow`, which determines the type. */
function kwargsOf(text: string): RunKwargs {
  return unpackInput(text) as RunKwargs;
}

export function fromRow({ due: _due, ended, ...row }: Selectable<RunsTable>): StoredRun {
  return {
    ...row,
    metadata: fromJson(row.metadata),
    kwargs: kwargsOf(row.kwargs),
    error: row.error === null ? undefined : fromJson(row.error),
    keep: row.keep === 1,
    threaded: row.threaded === 1,
    rollback: row.rollback === ROLLBACK,
    cancelled: row.rollback !== 0,
    position: row.position ?? undefined,
    ended_at: ended === null ? null : isoTime(ended),
  };
}

/** A claim returns this about the thread of a run. */
interface FoundAtClaim {
  thread_status: string | null;
  newest: string | null;
  /** Set if there are writes after the newest checkpoint. */
  has_writes: SqlBool;
}

export function fromClaimedRow(row: Selectable<RunsTable> & FoundAtClaim): ClaimedRun {
  const { newest, has_writes, thread_status: _status, ...stored } = row;
  const run = fromRow(stored);
  // An earlier attempt may have put another checkpoint while PostgreSQL executed the claim.
  return run.threaded && run.token === 1 && !has_writes ? { ...run, head: newest } : run;
}
