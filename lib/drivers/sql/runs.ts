import type { Kysely } from "kysely";
import type { RunStore, StoredRun } from "../../engine/ports.ts";
import type { RunStatus } from "../../protocol/runs.ts";
import type { NewEvent } from "../../protocol/stream.ts";
import { hasStoredEvents } from "../../rules/run-state.ts";
import { decodeBatch, encodeBatch } from "./batch.ts";
import type { Commit } from "./group-commit.ts";
import { counts, incidents } from "./run-reports.ts";
import { fromRow, toRow } from "./run-rows.ts";
import { runReads, runWrites } from "./run-statements.ts";
import type { Tables } from "./tables.ts";

/** Rows taken at a time; a batch holds the events of one turn of the worker's loop, so this bounds what is in memory. */
const ROWS = 32;

type Db = Kysely<Tables>;

const iso = (ms: number): string => new Date(ms).toISOString();

export function sqlRuns(db: Db, commit: Commit<Tables>): RunStore {
  const statements = { ...runReads(db), ...runWrites(db) };
  return {
    insert: (run) => commit((tx) => statements.insert(tx, toRow(run)).then(() => undefined)),
    async get(runId) {
      const [row] = await statements.get(db, { run_id: runId });
      return row && fromRow(row);
    },
    claim: (limit, now, begin) =>
      commit(async (tx) => {
        const rows = await statements.claim(tx, { limit, now, updated_at: iso(now) });
        // `returning` has no order of its own; ids are time-ordered.
        const runs = rows.toSorted((a, b) => a.due - b.due || (a.run_id < b.run_id ? -1 : 1)).map(fromRow);
        for (const run of runs.filter(hasStoredEvents))
          await insertEvents(tx, run.run_id, run.last_event, [begin(run)]);
        return runs;
      }),
    async nextDue(now) {
      const [row] = await statements.nextDue(db, { now });
      return row?.due;
    },
    append: (runId, token, events) =>
      commit(async (tx) => {
        const [row] = await statements.advance(tx, { run_id: runId, token, count: events.length });
        return row && (await insertEvents(tx, runId, row.last_event, events));
      }),
    store: (runId, first, events) =>
      commit((tx) => insertEvents(tx, runId, first + events.length - 1, events).then(() => undefined)),
    finish: (runId, token, outcome, events, now) =>
      commit(async (tx) => {
        const [row] = await statements.end(tx, {
          run_id: runId,
          token,
          count: events.length,
          status: outcome.status,
          now,
          updated_at: iso(now),
          error: outcome.error ? JSON.stringify(outcome.error) : null,
        });
        return row && (events.length > 0 ? await insertEvents(tx, runId, row.last_event, events) : row.last_event + 1);
      }),
    async read(runId, after, limit) {
      const rows = await statements.read(db, { run_id: runId, after, limit: Math.min(ROWS, limit) });
      return rows.flatMap((row) => decodeBatch(row.lines, row.first_event)).filter((event) => event.id > after);
    },
    list: (statuses) => list(db, statuses),
    sweep: (endedBefore, failedBefore) => commit((tx) => sweep(tx, endedBefore, failedBefore)),
    counts: (since) => counts(db, since),
    incidents: (limit) => incidents(db, limit),
  };

  async function insertEvents(tx: Db, runId: string, last: number, events: readonly NewEvent[]): Promise<number> {
    const first = last - events.length + 1;
    await statements.insertEvents(tx, {
      run_id: runId,
      first_event: first,
      last_event: last,
      lines: encodeBatch(events),
    });
    return first;
  }
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

async function sweep(tx: Db, endedBefore: number, failedBefore: number): Promise<number> {
  const old = tx
    .selectFrom("runs")
    .select("run_id")
    .where("keep", "=", 0)
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
