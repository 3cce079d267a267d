/** Measures the pages Threads and Runs among 100,000 of each: the answers of the API, and the frames of the tables. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import type { ListPage } from "../../lib/client/page-slots.ts";
import { roomApi } from "../../lib/client/rooms.ts";
import { deploymentShape } from "../../lib/drivers/sql/migrations.ts";
import { openSqlite } from "../../lib/drivers/sql/sqlite.ts";
import { startServer } from "../support/server.ts";
import { fillRuns, fillThreads } from "./fill-lists.ts";
import { median } from "./measure.ts";
import { framesOf, framesText, newPage, openBrowser } from "./page.ts";

const COUNT = 100_000;
const ROUNDS = 15;

export async function rooms(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "graphlib-rooms-"));
  const db = await openSqlite(join(home, "deployments/default/database.sqlite"), deploymentShape);
  await fillThreads(db, COUNT);
  await fillRuns(db, COUNT, { open: false });
  await db.destroy();
  const server = await startServer({ app: resolve(import.meta.dirname, "../e2e/apps/studio"), home });
  console.log(`${COUNT} threads and ${COUNT} runs: ms of a page of the console, median and slowest of ${ROUNDS}`);
  const { signal } = new AbortController();
  const { threads, runs } = roomApi(server.url);
  const threadsOf =
    (filter: Parameters<typeof threads.page>[0]): ReadPage =>
    (from) =>
      threads.page(filter, from, signal);
  const runsOf =
    (filter: Parameters<typeof runs.page>[0]): ReadPage =>
    (from) =>
      runs.page(filter, from, signal);
  await timeAll({
    "threads, first page": threadsOf({}),
    "threads, status of 1 in 1,000": threadsOf({ status: "error" }),
    "threads, waiting, of 1 in 100": threadsOf({ waiting: true }),
    "threads, metadata of 1 in 200": threadsOf({ metadata: { owner: "user-7" } }),
    "runs, first page": runsOf({}),
    "runs, status of 1 in 100": runsOf({ status: ["error"] }),
    "runs, metadata of 1 in 100": runsOf({ metadata: { ticket: 7 } }),
  });
  await timeMiddle("threads", threadsOf({}));
  await timeMiddle("runs", runsOf({}));
  const browser = await openBrowser();
  for (const room of ["threads", "runs"]) {
    const page = await newPage(browser);
    await page.goto(`${server.url}/deployments/default/${room}`);
    await page.getByRole("row").nth(5).waitFor();
    console.log(`scrolling ${room}: ${framesText(await framesOf(page, () => scroll(page)))}`);
    await page.close();
  }
  await browser.close();
  await server.stop();
}

type ReadPage = (cursor: string) => Promise<ListPage<unknown>>;

async function timeAll(pages: Record<string, ReadPage>): Promise<void> {
  for (const [name, read] of Object.entries(pages)) console.log(`  ${name.padEnd(52)}${await timed(() => read(""))}`);
}

/** Times the page after half of a list, which is read up to there. */
async function timeMiddle(name: string, read: ReadPage): Promise<void> {
  let cursor = "";
  for (let known = 0; known < COUNT / 2;) {
    const { rows, next = "" } = await read(cursor);
    known += rows.length;
    cursor = next;
  }
  console.log(`  ${`${name}, page in the middle`.padEnd(52)}${await timed(() => read(cursor))}`);
}

async function timed(read: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const begin = performance.now();
    await read();
    // The first answer also prepares the statement.
    if (round > 0) times.push(performance.now() - begin);
  }
  return `${median(times).toFixed(1).padStart(8)}${Math.max(...times)
    .toFixed(1)
    .padStart(8)}`;
}

/** Scrolls a table down by the wheel, and up again. */
async function scroll(page: Page): Promise<void> {
  await page.mouse.move(700, 500);
  for (let turn = 0; turn < 200; turn++) await page.mouse.wheel(0, turn < 150 ? 240 : -480);
}
