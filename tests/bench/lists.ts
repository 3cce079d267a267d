/** Times the pages of the lists of threads and runs, at their beginning, middle and end, among very many. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import { searchRuns } from "../../lib/drivers/sql/run-search.ts";
import { openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import type { Tables } from "../../lib/drivers/sql/tables.ts";
import { pageOfThreads } from "../../lib/drivers/sql/thread-pages.ts";
import type { RunFilter } from "../../lib/protocol/runs.ts";
import type { CursorSort, ThreadFilter } from "../../lib/protocol/threads.ts";
import { findPostgres, queryPostgres, openPostgres } from "../support/postgres.ts";
import { assistants, fillRuns, fillThreads, timeOf } from "./fill-lists.ts";

const THREADS = Number(process.env.BENCH_THREADS ?? 1_000_000);
const RUNS = Number(process.env.BENCH_RUNS ?? 100_000);
const ROUNDS = 9;
const LIMIT = 50;
const SCHEMA = "graphlib_bench_lists";
const SORTS: readonly CursorSort[] = ["created_at", "updated_at", "state_updated_at"];

const threadFilters: Record<string, ThreadFilter> = {
  "no filter": {},
  "status idle": { status: "idle" },
  "status interrupted, of 1 in 100": { status: "interrupted" },
  "status error, of 1 in 1,000": { status: "error" },
  "waiting, of 1 in 100": { waiting: true },
  "label of all": { metadata: { graph_id: "agent" } },
  "label of the newer half": { metadata: { team: "red" } },
  "label of 1 in 200": { metadata: { owner: "user-7" } },
  "label of 1 in 20,000": { metadata: { account: 7 } },
  "waiting, label of 1 in 200": { waiting: true, metadata: { owner: "user-7" } },
};

const runFilters: Record<string, RunFilter> = {
  "no filter": {},
  "status success": { status: ["success"] },
  "status error, of 1 in 100": { status: ["error"] },
  "two rare statuses": { status: ["error", "interrupted"] },
  "status pending": { status: ["pending"] },
  "trigger cron, of 1 in 10": { trigger: ["cron"] },
  "assistant of 1 in 3": { assistant_id: assistants[1] },
  "metadata of 1 in 100": { metadata: { ticket: 7 } },
  "metadata of none": { metadata: { ticket: "none" } },
  "error of an assistant": { status: ["error"], assistant_id: assistants[1] },
};

export async function lists(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "graphlib-lists-"));
  await measureLists("SQLite", await openSqlite(join(home, "database.sqlite"), deploymentShape));
  rmSync(home, { recursive: true, force: true });
  const url = await findPostgres();
  if (url === undefined) return;
  const drop = `drop schema if exists "${SCHEMA}" cascade`;
  await queryPostgres(url, drop);
  const { db } = await openPostgres(url, SCHEMA, deploymentShape);
  await sql`set synchronous_commit = off`.execute(db);
  await measureLists("PostgreSQL", db, () => sql`analyze`.execute(db));
  await queryPostgres(url, drop);
}

/** PostgreSQL analyzes tables by itself, some time after they were filled. The server never analyzes those of SQLite. */
async function measureLists(name: string, db: Kysely<Tables>, analyze?: () => Promise<unknown>): Promise<void> {
  await fillThreads(db, THREADS);
  await fillRuns(db, RUNS, { open: true });
  await analyze?.();
  console.log(
    `${THREADS} threads and ${RUNS} runs on ${name}: ms of a page of ${LIMIT}, median and slowest of ${ROUNDS}`,
  );
  console.log(`  ${"".padEnd(52)}${["beginning", "middle", "end"].map((part) => part.padStart(16)).join("")}`);
  for (const sort_by of SORTS) {
    for (const [filter, conditions] of Object.entries(threadFilters)) {
      await row(
        `threads by ${sort_by}, ${filter}`,
        async (time) => {
          const after = time === undefined ? undefined : { time, id: "ffffffff-ffff-4fff-8fff-ffffffffffff" };
          const page = { ...conditions, sort_by, sort_order: "desc" as const, limit: LIMIT, after };
          return (await pageOfThreads(db, page, undefined)).rows.length;
        },
        THREADS,
      );
    }
  }
  for (const [filter, conditions] of Object.entries(runFilters)) {
    await row(
      `runs, ${filter}`,
      async (time) => {
        const after = time === undefined ? undefined : { time, id: "ffffffff-ffff-4fff-8fff-ffffffffffff" };
        const search = { ...conditions, sort_order: "desc" as const, limit: LIMIT, after, brief: true };
        return (await searchRuns(db, search)).runs.length;
      },
      RUNS,
    );
  }
  console.log();
  await db.destroy();
}

/** Prints one row: a page from the newest on, from the middle on, and near the oldest. */
async function row(title: string, read: (time?: string) => Promise<number>, count: number): Promise<void> {
  const cells: string[] = [];
  for (const time of [undefined, timeOf(count / 2), timeOf(count / 1_000)]) {
    const times: number[] = [];
    let items = 0;
    for (let n = 0; n < ROUNDS; n++) {
      const begin = performance.now();
      items = await read(time);
      times.push(performance.now() - begin);
    }
    times.sort((a, b) => a - b);
    const short = items < LIMIT ? ` (${items})` : "";
    cells.push(`${(times[(ROUNDS - 1) / 2] ?? 0).toFixed(1)} ${(times.at(-1) ?? 0).toFixed(1)}${short}`.padStart(16));
  }
  console.log(`  ${title.padEnd(52)}${cells.join("")}`);
}
