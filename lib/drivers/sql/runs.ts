import { sql } from "kysely";
import type { ClaimedRun, RunStore, StoredRun } from "../../engine/ports/ports.ts";
import type { FinishedRun } from "../../engine/ports/run-end.ts";
import type { RunEventStore } from "../../engine/ports/runs.ts";
import { Fault } from "../../protocol/faults.ts";
import type { RunStatus } from "../../protocol/runs.ts";
import type { NewEvent } from "../../protocol/stream.ts";
import { hasStoredEvents } from "../../rules/runs/state.ts";
import { positionAfter } from "../../rules/thread-stream/fold.ts";
import { deleteOf } from "./checkpoint-threads.ts";
import { decodeBatch, encodeBatch } from "./batch.ts";
import type { GroupCommit } from "./group-commit.ts";
import { counts, incidents, queue } from "./run-reports.ts";
import { countRuns, searchRuns } from "./run-search.ts";
import { runClaims } from "./run-claims.ts";
import { runExecutors } from "./run-executors.ts";
import { fromClaimedRow, fromRow, toRow } from "./run-rows.ts";
import { deleteRun, dropThread, markBusy, type RunStatements, settleThread, threadRuns } from "./run-threads.ts";
import { forgetTokens } from "./run-tokens.ts";
import { runReads, runWrites, threadWrites } from "./run-statements.ts";
import type { Db, Tables } from "./tables.ts";
import { threadLocks } from "./thread-locks.ts";
import { insertWebhook } from "./webhooks.ts";
import { isoTime } from "../../protocol/iso-time.ts";

/** Batches read at a time. A batch holds the events of one turn of the worker's loop, so this bounds memory. */
const ROWS = 32;

export function sqlRuns(db: Db, commit: GroupCommit<Tables>): RunStore & RunEventStore {
  const { lock } = threadLocks(db);
  const statements = { ...runReads(db), ...runWrites(db), ...threadWrites(db), claim: runClaims(db), lock };
  /** Events of runs that ended before this time are deleted already. */
  let sweptBefore = 0;
  return {
    insert: (run) => commit((tx) => statements.insert(tx, toRow(run)).then(() => undefined), { independent: true }),
    ...threadRuns(db, commit, statements),
    async get(runId) {
      const [row] = await statements.get(db, { run_id: runId });
      return row && fromRow(row);
    },
    ...runExecutors(db),
    claim: (...how) => commit((tx) => claim(statements, tx, ...how)),
    async nextDue(now) {
      const [row] = await statements.nextDue(db, { now });
      return row?.due;
    },
    append: (runId, token, events) =>
      commit(
        async (tx) => {
          const [row] = await statements.advance(tx, { run_id: runId, token, count: events.length });
          return row && (await insertEvents(statements, tx, runId, row.last_event, events));
        },
        { independent: true, run: runId },
      ),
    store: (run_id, token, first_event, events) => {
      const row = { run_id, first_event, last_event: first_event + events.length - 1, lines: encodeBatch(events) };
      return commit((tx) => statements.spillEvents(tx, { ...row, token }).then(() => undefined), { independent: true });
    },
    finish: (run, ...end) => commit((tx) => finish(statements, tx, run, ...end), { threadOf: run.run_id }),
    async read(runId, after, limit) {
      const rows = await statements.read(db, { run_id: runId, after, limit: Math.min(ROWS, limit) });
      return rows.flatMap((row) => decodeBatch(row.lines, row.first_event)).filter((event) => event.id > after);
    },
    list: (statuses) => list(db, statuses),
    async sweep(endedBefore, failedBefore) {
      const swept = await commit(async (tx) => {
        await sweepEvents(tx, sweptBefore, endedBefore);
        return sweep(tx, endedBefore, failedBefore);
      });
      sweptBefore = endedBefore;
      return swept;
    },
    search: (search) => searchRuns(db, search),
    count: (filter, visible) => countRuns(db, filter, visible),
    counts: (since) => counts(db, since),
    queue: (now) => queue(db, now),
    incidents: (limit) => incidents(db, limit),
  };
}

async function claim(
  statements: RunStatements,
  tx: Db,
  ...[limit, now, begin, executor]: Parameters<RunEventStore["claim"]>
): Promise<ClaimedRun[]> {
  const rows = await statements.claim(tx, { limit, now, updated_at: isoTime(now), executor: executor ?? null });
  // `returning` guarantees no order; ids are time-ordered.
  const runs = rows.toSorted((a, b) => a.due - b.due || (a.run_id < b.run_id ? -1 : 1)).map(fromClaimedRow);
  if (rows.length > 0) forgetTokens(tx);
  // A thread is busy since its run was stored, unless the run before that one has failed.
  const atRest = rows.filter((row) => row.threaded === 1 && row.thread_status !== "busy");
  if (atRest.length > 0)
    await markBusy(
      tx,
      atRest.map((row) => row.thread_id),
    );
  const stored = runs.filter(hasStoredEvents);
  await Promise.all(stored.map((run) => insertEvents(statements, tx, run.run_id, run.last_event, [begin(run)])));
  return runs;
}

async function finish(
  statements: RunStatements,
  tx: Db,
  ...[{ run_id: runId, token, status: from }, outcome, events, now, known = {}]: Parameters<RunEventStore["finish"]>
): Promise<FinishedRun | undefined> {
  const unstored = outcome.unstored?.();
  if (unstored) throw new Fault("conflict", unstored.message, { reason: "unstored" });
  const [row] = await statements.end(tx, {
    run_id: runId,
    token,
    from,
    count: events.length,
    status: outcome.status,
    now,
    updated_at: isoTime(now),
    error: outcome.error ? JSON.stringify(outcome.error) : null,
    first_token_at: known.firstToken === undefined ? null : isoTime(known.firstToken),
  });
  if (!row) return undefined;
  forgetTokens(tx);
  const undone = row.rollback === 1;
  let othersInFlight = 0;
  if (row.threaded === 1) {
    const next =
      row.position === null ? undefined : positionAfter(row.position, known.eventCount ?? row.last_event + 1);
    othersInFlight = await settleThread(statements, tx, row.thread_id, undone ? { status: "interrupted" } : outcome, {
      updated_at: isoTime(now),
      position: next,
      begun: token > 0,
    });
  }
  if (row.threaded === 1 && outcome.discard) await dropThread(tx, row.thread_id);
  if (outcome.webhook) await insertWebhook(tx, runId, outcome.webhook, now);
  if (undone) {
    await deleteRun(tx, runId);
    await deleteOf(tx, runId, row.thread_id);
  } else if (events.length > 0) await insertEvents(statements, tx, runId, row.last_event, events);
  return { othersInFlight, lastEvent: row.last_event };
}

async function insertEvents(
  statements: RunStatements,
  tx: Db,
  runId: string,
  last: number,
  events: readonly NewEvent[],
): Promise<number> {
  const first = last - events.length + 1;
  await statements.insertEvents(tx, {
    run_id: runId,
    first_event: first,
    last_event: last,
    lines: encodeBatch(events),
  });
  return first;
}

async function list(db: Db, statuses: readonly RunStatus[]): Promise<StoredRun[]> {
  const rows = await db
    .selectFrom("runs")
    .selectAll()
    .where("status", "in", statuses)
    .orderBy("due")
    .orderBy("run_id")
    .execute();
  return rows.map(fromRow);
}

/**
 * Deletes the events of runs on threads that ended between these times. The runs stay, but their events repeat the state at
 * every step, so they would grow with the square of a thread's length.
 */
async function sweepEvents(tx: Db, endedSince: number, endedBefore: number): Promise<void> {
  const old = tx
    .selectFrom("runs")
    .select("run_id")
    .where("threaded", "=", sql.lit(1))
    .where("keep", "=", 0)
    .where("ended", ">=", endedSince)
    .where("ended", "<", endedBefore);
  await tx.deleteFrom("run_events").where("run_id", "in", old).execute();
}

async function sweep(tx: Db, endedBefore: number, failedBefore: number): Promise<number> {
  const old = tx
    .selectFrom("runs")
    .select("run_id")
    .where("keep", "=", 0)
    .where("threaded", "=", sql.lit(0))
    .where((eb) =>
      eb.or([
        eb.and([eb("status", "!=", "error"), eb("ended", "<", endedBefore)]),
        eb.and([eb("status", "=", "error"), eb("ended", "<", failedBefore)]),
      ]),
    );
  await tx.deleteFrom("run_events").where("run_id", "in", old).execute();
  const result = await tx.deleteFrom("runs").where("run_id", "in", old).executeTakeFirst();
  return Number(result.numDeletedRows);
}
