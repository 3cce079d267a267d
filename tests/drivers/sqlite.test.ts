import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CompiledQuery, Kysely } from "kysely";
import { searchRuns } from "../../lib/drivers/sql/run-search.ts";
import { MOST_CHECKED } from "../../lib/drivers/sql/keyset.ts";
import { toRow } from "../../lib/drivers/sql/run-rows.ts";
import { runReads } from "../../lib/drivers/sql/run-statements.ts";
import { labelRows } from "../../lib/drivers/sql/thread-labels.ts";
import { MOST_THREADS_CHECKED, pageOfThreads } from "../../lib/drivers/sql/thread-pages.ts";
import { toThreadRow } from "../../lib/drivers/sql/thread-rows.ts";
import type { ThreadPage } from "../../lib/engine/ports/threads.ts";
import { labelsOf } from "../../lib/rules/threads/labels.ts";
import { newThread } from "./threads.suite.ts";
import { groupCommit } from "../../lib/drivers/sql/group-commit.ts";
import { platformShape } from "../../lib/drivers/sql/platform/shape.ts";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import { lockFolder, openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import type { Tables } from "../../lib/drivers/sql/tables.ts";
import type { RunFilter } from "../../lib/protocol/runs.ts";
import { databaseSuite } from "./database.suite.ts";
import { expectOldThreadsFound } from "./thread-search.suite.ts";
import { expectOldRunsRead, shapeUpTo } from "./run-search.suite.ts";
import { newRun } from "./runs.suite.ts";
import { lineSuite } from "./lines.suite.ts";
import { platformSuite } from "./platform.suite.ts";

const folder = mkdtempSync(join(tmpdir(), "graphlib-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
databaseSuite("SQLite", async () => {
  const db = await openSqlite(join(folder, `${files++}.sqlite`), deploymentShape);
  return { db, commit: groupCommit(db), close: () => db.destroy() };
});

const openPlatform = async () => {
  const db = await openSqlite(join(folder, `${files++}.sqlite`), platformShape);
  return { db, commit: groupCommit(db), close: () => db.destroy() };
};
platformSuite("SQLite", openPlatform);
lineSuite("SQLite", openPlatform);

test("threads of an older version are found by their metadata", async () => {
  await expectOldThreadsFound(async (shape) => {
    const db = await openSqlite(join(folder, "old.sqlite"), shape);
    return { db, commit: groupCommit(db) };
  });
});

test("the events after an id are found in an index, not by a scan of earlier ones", async () => {
  const db = await openSqlite(join(folder, "plan.sqlite"), deploymentShape);
  let plan = "";
  const explainer = {
    async executeQuery<Row>(query: CompiledQuery<Row>) {
      const explained = await db.executeQuery<{ detail: string }>({ ...query, sql: `explain query plan ${query.sql}` });
      plan = explained.rows.map(({ detail }) => detail).join("\n");
      return { rows: [] };
    },
  };
  await runReads(db).read(explainer, { run_id: "r", after: 7, limit: 32 });
  expect(plan).toMatch(/^SEARCH run_events USING INDEX \S+ \(run_id=\? AND first_event>\?\)/);
  await db.destroy();
});

/** Runs a search and returns the plan of each of its statements. */
async function plansOf(
  search: (db: Kysely<Tables>) => Promise<unknown>,
  file = `${files++}.sqlite`,
): Promise<string[]> {
  const db = await openSqlite(join(folder, file), deploymentShape);
  const executor = db.getExecutor();
  const execute = executor.executeQuery.bind(executor);
  const plans: string[] = [];
  executor.executeQuery = async <Row>(query: CompiledQuery<Row>) => {
    const explained = await execute<{ detail: string }>({ ...query, sql: `explain query plan ${query.sql}` });
    plans.push(explained.rows.map(({ detail }) => detail).join("\n"));
    return await execute(query);
  };
  await search(db);
  await db.destroy();
  return plans;
}

/** A plan that reads a table from end to end, or sorts what it has read. */
const SLOW = /SCAN \S+(?! USING)$|TEMP B-TREE/m;

const RUN_INDEXES: [string, RunFilter, RegExp][] = [
  ["no filter", {}, /^SCAN runs USING INDEX runs_created$/m],
  ["times", { created_after: "2026-01-01T00:00:00.000Z" }, /^SEARCH runs USING INDEX runs_created \(created_at>\?\)$/m],
  ["failed ones", { status: ["error"] }, /^SEARCH runs USING INDEX runs_failed \(status=\?\)$/m],
  [
    "cancelled ones of a cron",
    { status: ["interrupted"], trigger: ["cron"] },
    /USING INDEX runs_failed \(status=\?\)$/m,
  ],
  ["pending ones", { status: ["pending"] }, /^SEARCH runs USING INDEX runs_active \(status=\?\)$/m],
  ["a trigger", { trigger: ["cron"] }, /^SEARCH runs USING INDEX runs_trigger \(trigger=\?\)$/m],
  [
    "a trigger, with metadata",
    { trigger: ["cron"], metadata: { cron_id: "c" } },
    /INDEX runs_trigger \(trigger=\?\)$/m,
  ],
  ["an assistant", { assistant_id: "a" }, /^SEARCH runs USING INDEX runs_assistant \(assistant_id=\?\)$/m],
  ["a thread", { thread_id: "t" }, /^SEARCH runs USING INDEX runs_of_thread \(thread_id=\?\)$/m],
  ["successful ones", { status: ["success"] }, /^SCAN runs USING INDEX runs_created$/m],
  ["metadata", { metadata: { n: 1 } }, /^SCAN runs USING INDEX runs_created$/m],
];

test.each(RUN_INDEXES)("a search for runs by %s reads them in the order of an index", async (_, filter, index) => {
  const after = { time: "2026-01-01T00:00:00.000Z", id: "r" };
  for (const sort_order of ["asc", "desc"] as const) {
    const first = await plansOf((db) => searchRuns(db, { ...filter, limit: 10, sort_order }));
    expect(first.join("\n")).not.toMatch(SLOW);
    expect(first.at(-1)).toMatch(index);
    const second = await plansOf((db) => searchRuns(db, { ...filter, limit: 10, sort_order, after }));
    expect(second.join("\n")).not.toMatch(SLOW);
    expect(second.at(-1)).toMatch(/\((?:\w+=\? AND )?(?:created_at|due|\(created_at,run_id\)|\(due,run_id\))[<>]/);
  }
});

test("a search for runs that no index answers reads a range of an index that is bounded on both sides", async () => {
  const db = await openSqlite(join(folder, "many.sqlite"), deploymentShape);
  const rows = Array.from({ length: MOST_CHECKED + 1 }, () => toRow(newRun()));
  for (let from = 0; from < rows.length; from += 500)
    await db
      .insertInto("runs")
      .values(rows.slice(from, from + 500))
      .execute();
  await db.destroy();
  for (const sort_order of ["asc", "desc"] as const) {
    const search = { metadata: { rare: true }, limit: 10, sort_order };
    const plans = await plansOf((opened) => searchRuns(opened, search), "many.sqlite");
    expect(plans).toHaveLength(2);
    expect(plans[0]).toMatch(/USING COVERING INDEX runs_created$/);
    expect(plans[1]).toMatch(/^SEARCH runs USING INDEX runs_created \(\(created_at,run_id\)[<>]\(\?,\?\)\)$/);
  }
});

const THREAD_INDEXES: [string, Partial<ThreadPage>, Record<"created" | "changed", RegExp>][] = [
  ["no filter", {}, { created: /INDEX threads_created_at/, changed: /INDEX threads_updated_at/ }],
  [
    "waiting",
    { waiting: true },
    { created: /INDEX threads_waiting_created_at/, changed: /INDEX threads_waiting_updated_at/ },
  ],
  ["a rare status", { status: "error" }, { created: /INDEX threads_status/, changed: /INDEX threads_rare_updated_at/ }],
  ["an ordinary status", { status: "idle" }, { created: /INDEX threads_status/, changed: /INDEX threads_updated_at/ }],
  [
    "a label",
    { metadata: { team: "blue" } },
    { created: /^SEARCH thread_labels USING/m, changed: /INDEX threads_updated_at/ },
  ],
  [
    "two labels",
    { metadata: { team: "blue", n: 1 } },
    { created: /^SEARCH thread_labels USING/m, changed: /INDEX threads_updated_at/ },
  ],
  [
    "values",
    { values: { topic: "tea" } },
    { created: /INDEX threads_created_at/, changed: /INDEX threads_updated_at/ },
  ],
];

describe("a page of threads", () => {
  beforeAll(async () => {
    const db = await openSqlite(join(folder, "threads.sqlite"), deploymentShape);
    const rows = Array.from({ length: MOST_THREADS_CHECKED + 1 }, () => toThreadRow(newThread()));
    const labels = rows.flatMap((row) => labelRows(row, labelsOf({ team: "blue", n: 1 })));
    for (let from = 0; from < rows.length; from += 500)
      await db
        .insertInto("threads")
        .values(rows.slice(from, from + 500))
        .execute();
    for (let from = 0; from < labels.length; from += 500)
      await db
        .insertInto("thread_labels")
        .values(labels.slice(from, from + 500))
        .execute();
    await db.destroy();
  });

  test.each(THREAD_INDEXES)(
    "by %s is read in the order of an index, whose range is bounded",
    async (_, filter, index) => {
      const after = { time: "2100-01-01T00:00:00.000Z", id: "t" };
      for (const [sort_by, plan] of [
        ["created_at", index.created],
        ["updated_at", index.changed],
      ] as const) {
        const page = { ...filter, limit: 10, sort_by, sort_order: "desc" as const };
        for (const one of [page, { ...page, after }]) {
          const plans = await plansOf((db) => pageOfThreads(db, one, undefined), "threads.sqlite");
          const entries = plans.filter((text) => plan.test(text));
          expect({ plans, found: entries.length }).not.toEqual({ plans, found: 0 });
          expect(plans.join("\n")).not.toMatch(SLOW);
        }
      }
    },
  );

  test("by labels in another order checks the labels for a bounded range", async () => {
    const page = { metadata: { team: "blue" }, limit: 10, sort_by: "updated_at", sort_order: "asc" } as const;
    const plans = await plansOf((db) => pageOfThreads(db, page, undefined), "threads.sqlite");
    expect(plans.find((plan) => plan.includes("CORRELATED"))).toMatch(
      /^SEARCH threads USING COVERING INDEX threads_updated_at \(\(updated_at,thread_id\)<\(\?,\?\)\)$/m,
    );
  });
});

test("a run of an older version is read as one of the API, without the times that were not kept", async () => {
  await expectOldRunsRead(async (upTo) => {
    const db = await openSqlite(join(folder, "old-runs.sqlite"), shapeUpTo(upTo));
    return { db, commit: groupCommit(db), close: () => db.destroy() };
  });
});

test("a home folder is locked by one server at a time, and unlocked afterwards", () => {
  const home = join(folder, "home");
  const hold = lockFolder(home);
  expect(() => lockFolder(home)).toThrow(/in use by another Graphlib server/);
  hold.release();
  lockFolder(home).release();
});
