import fc from "fast-check";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MOST_CHECKED } from "../../lib/drivers/sql/keyset.ts";
import { toRow } from "../../lib/drivers/sql/run-rows.ts";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import { sqlRuns } from "../../lib/drivers/sql/runs.ts";
import { toThreadRow } from "../../lib/drivers/sql/thread-rows.ts";
import type { RunsTable, ThreadsTable } from "../../lib/drivers/sql/tables.ts";
import type { RunStore } from "../../lib/engine/ports/ports.ts";
import type { RunQuery, VisibleRuns } from "../../lib/engine/ports/run-search.ts";
import type { JsonObject } from "../../lib/protocol/json.ts";
import { type RunFilter, RunSearch, RunStatus } from "../../lib/protocol/runs.ts";
import type { ListPosition } from "../../lib/rules/cursor.ts";
import { isVisible } from "../../lib/rules/visibility.ts";
import { hasMembers } from "../support/has-members.ts";
import type { DatabaseUnderTest } from "./database.suite.ts";
import { newRun } from "./runs.suite.ts";
import { newThread } from "./threads.suite.ts";

const assistants = [uuid(), uuid()] as const;
const triggers = ["api", "chat", "cron", "a2a"];
const statuses = RunStatus.options;
/** Few times, so that many runs share one. */
const timeOf = (n: number): string => new Date(Date.UTC(2026, 0, 1) + (n % 40) * 1_000).toISOString();

interface StoredRow {
  row: RunsTable;
  /** The metadata that decide who sees the run: those of its thread if it has one. */
  thread: ThreadsTable | undefined;
  metadata: JsonObject;
}

/** Tests the search of runs over all threads. */
export function runSearchSuite(name: string, open: () => Promise<DatabaseUnderTest>): void {
  describe(`search of runs in ${name}`, () => {
    let under: DatabaseUnderTest;
    let runs: RunStore;
    const all: StoredRow[] = [];
    beforeAll(async () => {
      under = await open();
      runs = sqlRuns(under.db, under.commit);
      all.push(...sampleRuns());
      const threads = [...new Map(all.flatMap(({ thread }) => (thread ? [[thread.thread_id, thread]] : []))).values()];
      await under.db.insertInto("threads").values(threads).execute();
      for (let from = 0; from < all.length; from += 500) {
        const rows = all.slice(from, from + 500).map(({ row }) => row);
        await under.db.insertInto("runs").values(rows).execute();
      }
    });
    afterAll(async () => {
      await under.close();
    });

    const oneOf = <T>(values: readonly T[]) =>
      fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
    const filters = fc.record(
      {
        status: oneOf(statuses),
        trigger: oneOf([...triggers, "unknown"]),
        assistant_id: fc.constantFrom(...assistants, uuid()),
        thread_id: fc.nat(20).map((n) => all[n * 7]?.row.thread_id ?? uuid()),
        metadata: fc.constantFrom({ team: "blue" }, { n: 3 }, {}, { none: true }),
        created_after: fc.nat(50).map(timeOf),
        created_before: fc.nat(50).map(timeOf),
      },
      { requiredKeys: [] },
    );
    const visible = fc.constantFrom<VisibleRuns | undefined>(
      undefined,
      { threads: {} },
      { threads: {}, visible: [{ key: "owner", equals: "ada" }] },
      { threads: { metadata: { owner: "bob" } } },
      { threads: { status: "busy" } },
      { threads: { ids: [] } },
    );

    const pagesOf = async (search: RunQuery): Promise<string[]> => {
      const ids: string[] = [];
      let after: ListPosition | undefined;
      for (;;) {
        const page: Awaited<ReturnType<RunStore["search"]>> = await runs.search({ ...search, after });
        expect(page.runs.length).toBeLessThanOrEqual(search.limit);
        ids.push(...page.runs.map((run) => run.run_id));
        if (!page.next) return ids;
        expect(page.next).not.toEqual(after);
        after = page.next;
      }
    };

    test("has each matching run on exactly one of its pages, in order, whatever the filter", async () => {
      await fc.assert(
        fc.asyncProperty(
          filters,
          visible,
          fc.boolean(),
          fc.integer({ min: 1, max: 60 }),
          async (filter, among, up, limit) => {
            const matching = all.filter((one) => isFound(one, filter, among)).map(({ row }) => row);
            matching.sort((a, b) => compare(a.created_at, b.created_at) || compare(a.run_id, b.run_id));
            if (!up) matching.reverse();
            const ids = await pagesOf({ ...filter, among, limit, sort_order: up ? "asc" : "desc" });
            expect(ids).toEqual(matching.map((row) => row.run_id));
            expect(await runs.count(filter, among)).toBe(matching.length);
          },
        ),
        { numRuns: 120 },
      );
    }, 60_000);

    test("shows every run that is not touched exactly once, while others come and go", async () => {
      const sort_order = "desc" as const;
      const seen: string[] = [];
      let after: ListPosition | undefined;
      for (let n = 0; ; n++) {
        const { runs: page, next } = await runs.search({ limit: 40, sort_order, after });
        seen.push(...page.map((run) => run.run_id));
        const extra = newRun({ created_at: timeOf(n * 3) });
        await runs.insert(extra);
        await under.db.deleteFrom("runs").where("run_id", "=", extra.run_id).execute();
        await runs.insert(
          newRun({ created_at: new Date(Date.UTC(2030, 0, 1)).toISOString(), metadata: { late: true } }),
        );
        if (!next) break;
        after = next;
      }
      await under.db.deleteFrom("runs").where("metadata", "=", '{"late":true}').execute();
      expect(new Set(seen).size).toBe(seen.length);
      expect(all.filter(({ row }) => !seen.includes(row.run_id))).toEqual([]);
    });

    test("returns runs without their arguments if nobody needs them", async () => {
      const [brief] = (await runs.search({ limit: 1, sort_order: "asc", brief: true })).runs;
      const [whole] = (await runs.search({ limit: 1, sort_order: "asc" })).runs;
      expect(brief).toEqual({ ...whole, kwargs: {} });
    });

    test("stops after a bounded number of runs that do not match, and goes on from there", async () => {
      const other = uuid();
      const many = Array.from({ length: MOST_CHECKED + 5 }, () => newRow({ assistant_id: other }));
      for (let from = 0; from < many.length; from += 500)
        await under.db
          .insertInto("runs")
          .values(many.slice(from, from + 500))
          .execute();
      const search: RunQuery = { assistant_id: other, metadata: { rare: true }, limit: 10, sort_order: "desc" };
      const first = await runs.search(search);
      expect(first.runs).toEqual([]);
      expect(first.next).toBeDefined();
      const rest = await runs.search({ ...search, after: first.next });
      expect(rest).toEqual({ runs: [], next: undefined });
      await under.db.deleteFrom("runs").where("assistant_id", "=", other).execute();
    });
  });
}

const newRow = (changes: Parameters<typeof newRun>[0]): RunsTable => toRow(newRun(changes));

function sampleRuns(): StoredRow[] {
  const owners = ["ada", "bob", undefined];
  const threads = Array.from({ length: 30 }, (_, n) => {
    const owner = owners[n % 3];
    const thread = toThreadRow(newThread({ metadata: owner === undefined ? {} : { owner } }));
    return { ...thread, status: n % 4 === 0 ? ("busy" as const) : ("idle" as const) };
  });
  const busy = new Set<string>();
  return fc
    .sample(fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat(), fc.nat()), { numRuns: 600, seed: 7 })
    .map(([a, b, c, d, e], n): StoredRow => {
      const thread = a % 3 === 0 ? undefined : threads[a % threads.length];
      const owner = owners[b % 3];
      const metadata = { n: c % 5, team: d % 2 ? "blue" : "red", ...(owner !== undefined && { owner }) };
      const any = statuses[e % statuses.length] ?? "success";
      // A thread has one running run at most.
      const status = any === "running" && thread && busy.has(thread.thread_id) ? "pending" : any;
      if (status === "running" && thread) busy.add(thread.thread_id);
      const row = newRow({
        thread_id: thread?.thread_id ?? uuid(),
        threaded: thread !== undefined,
        assistant_id: assistants[c % 2] ?? "",
        trigger: triggers[d % triggers.length] ?? "api",
        metadata,
        created_at: timeOf(a + n),
      });
      const ended = status === "pending" || status === "running" ? null : row.due + 1;
      return { row: { ...row, status, ended }, thread, metadata };
    });
}

function isFound({ row, thread, metadata }: StoredRow, filter: RunFilter, among: VisibleRuns | undefined): boolean {
  const { status, trigger, assistant_id, thread_id, created_after, created_before } = filter;
  if (status && !status.includes(row.status)) return false;
  if (trigger && !trigger.includes(row.trigger)) return false;
  if (assistant_id !== undefined && row.assistant_id !== assistant_id) return false;
  if (thread_id !== undefined && (row.threaded === 0 || row.thread_id !== thread_id)) return false;
  if (created_after !== undefined && row.created_at < created_after) return false;
  if (created_before !== undefined && row.created_at >= created_before) return false;
  if (filter.metadata && !hasMembers(metadata, filter.metadata)) return false;
  if (!among) return true;
  const { metadata: wanted = {}, ids, status: of } = among.threads;
  const own = thread ? (JSON.parse(thread.metadata) as JsonObject) : metadata;
  if (ids && !(thread && ids.includes(thread.thread_id))) return false;
  if (of && thread?.status !== of) return false;
  return hasMembers(own, wanted) && isVisible(among.visible, own);
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** The shape of a deployment's database as it was after this migration. */
export function shapeUpTo(name: string | undefined): typeof deploymentShape {
  if (name === undefined) return deploymentShape;
  return { steps: Object.fromEntries(Object.entries(deploymentShape.steps).filter(([step]) => step <= name)) };
}

/** Tests that a run stored before the columns existed is read with their defaults. */
export async function expectOldRunsRead(
  openWith: (upTo: string | undefined) => Promise<DatabaseUnderTest>,
): Promise<void> {
  const old = await openWith("014-webhook-hosts");
  const {
    trigger: _t,
    started_at: _s,
    first_token_at: _f,
    crashes: _c,
    executor: _e,
    ...row
  } = newRow({ threaded: true });
  await old.db
    .insertInto("runs")
    .values(row as RunsTable)
    .execute();
  await old.db.destroy();
  const { db, commit } = await openWith(undefined);
  const { runs } = await sqlRuns(db, commit).search(RunSearch.parse({}));
  expect(runs).toMatchObject([
    {
      run_id: row.run_id,
      trigger: "api",
      started_at: null,
      ended_at: null,
      first_token_at: null,
      token: 0,
      crashes: 0,
      executor: null,
    },
  ]);
  await db.destroy();
}
