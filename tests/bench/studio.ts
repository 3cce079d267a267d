/** Measures the studio in a browser, on a production server with the application of its tests. */
import { resolve } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { startServer, type TestServer } from "../support/server.ts";
import { median } from "./measure.ts";
import { framesOf, framesText, newPage, openBrowser } from "./page.ts";

/** Steps of a run of the graph `loop`, which takes two in a round and ends after round 50. The API allows 10,000 at most. */
const STEPS = Number(process.env.BENCH_STEPS ?? 9_990);
const FIRST_ROUND = 50 - STEPS / 2;

export async function studio(): Promise<void> {
  const server = await startServer({ app: resolve(import.meta.dirname, "../e2e/apps/studio") });
  const browser = await openBrowser();
  console.log(`the studio in Chromium ${browser.version()}, frames of 16.7 ms at best`);
  await largeGraph(server, browser);
  await firstLight(server, browser);
  await longHistory(server, browser);
  await browser.close();
  await server.stop();
}

/** Opens the studio of a graph and waits until it is drawn. */
async function enter(server: TestServer, browser: Browser, graph: string, query = ""): Promise<Page> {
  const page = await newPage(browser);
  await page.goto(`${server.url}/deployments/default/studio/${graph}${query}`);
  await page.locator("[data-node]").first().waitFor();
  return page;
}

async function largeGraph(server: TestServer, browser: Browser): Promise<void> {
  const page = await enter(server, browser, "big", "?tab=input");
  await page.waitForTimeout(500);
  console.log(`500 nodes, panning near:    ${framesText(await framesOf(page, () => pan(page)))}`);
  await page.getByRole("button", { name: /^Fit/ }).click();
  await page.waitForTimeout(500);
  console.log(`500 nodes, panning far:     ${framesText(await framesOf(page, () => pan(page)))}`);
  await page.getByRole("textbox", { name: "Recursion limit" }).fill("200");
  const ranAll = () => runToEnd(page);
  console.log(`500 nodes, lit by a run:    ${framesText(await framesOf(page, ranAll))}`);
  await page.close();
}

/** Drags the canvas up and down for some seconds. */
async function pan(page: Page): Promise<void> {
  await page.mouse.move(500, 420);
  await page.mouse.down();
  for (let move = 0; move < 240; move++) await page.mouse.move(500, 420 + 250 * Math.sin(move / 20));
  await page.mouse.up();
}

async function runToEnd(page: Page): Promise<void> {
  await page.getByRole("banner").getByRole("button", { name: /^Run/ }).click();
  // A search by role looks at all elements: with 500 nodes that is work of the page too.
  for (const word of ["Running", "Done"])
    await page.waitForFunction((w) => document.querySelector("header output")?.textContent.startsWith(w), word);
}

async function firstLight(server: TestServer, browser: Browser): Promise<void> {
  const page = await enter(server, browser, "slow", "?tab=input");
  await page.getByRole("radio", { name: "JSON" }).check({ force: true });
  await page.getByRole("textbox", { name: "Input as JSON" }).fill('{"ms": 400, "text": "begin"}');
  const times: number[] = [];
  for (let round = 0; round < 10; round++) {
    await page.evaluate(() => window.meter.arrivals.clear());
    const lit = page.evaluate(() =>
      window.meter.painted(() =>
        Boolean(document.querySelector('[data-node="wait"]')?.getAttribute("aria-label")?.includes("running")),
      ),
    );
    await page.getByRole("banner").getByRole("button", { name: /^Run/ }).click();
    const painted = await lit;
    times.push(painted - (await page.evaluate(() => window.meter.arrivals.get("wait") ?? Number.NaN)));
    await page.getByRole("banner").getByRole("status").getByText("Done").waitFor();
  }
  console.log(`first light, from the arrival of the event until the lit node is painted: ${timesText(times)}`);
  await page.close();
}

const timesText = (times: readonly number[]): string =>
  `median ${median(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms of ${times.length}`;

async function longHistory(server: TestServer, browser: Browser): Promise<void> {
  const { thread_id } = await post<{ thread_id: string }>(server, "/threads", { metadata: { graph_id: "loop" } });
  const page = await enter(server, browser, "loop", `?thread=${thread_id}`);
  const run = {
    assistant_id: "loop",
    input: { round: FIRST_ROUND },
    config: { recursion_limit: STEPS + 10 },
    stream_mode: ["debug", "messages-tuple", "custom"],
    stream_subgraphs: true,
    stream_resumable: true,
  };
  const begin = performance.now();
  const frames = await framesOf(page, async () => {
    await post(server, `/threads/${thread_id}/runs`, run);
    await isDone(page);
  });
  console.log(`${STEPS} steps in ${seconds(begin)}, followed live: ${framesText(frames)}`);
  await page.close();
  await scrub(server, browser, thread_id);
}

async function isDone(page: Page): Promise<void> {
  const status = page.getByRole("banner").getByRole("status");
  await status.getByText("Running").waitFor();
  await status.getByText("Done").waitFor({ timeout: 600_000 });
}

const seconds = (begin: number): string => `${((performance.now() - begin) / 1000).toFixed(1)} s`;

async function scrub(server: TestServer, browser: Browser, thread: string): Promise<void> {
  const page = await newPage(browser);
  await page.goto(`${server.url}/deployments/default/studio/loop?thread=${thread}&tab=state`);
  const shown = await page.evaluate(() =>
    window.meter.painted(() => document.querySelector("[aria-label=round]")?.textContent === "round50"),
  );
  console.log(`${STEPS} checkpoints: newest state ${shown.toFixed(0)} ms after the navigation began`);
  const slider = page.getByRole("slider", { name: "Checkpoint" });
  const begin = performance.now();
  await page.waitForFunction(
    (steps) => Number(document.querySelector<HTMLInputElement>("[aria-label=Checkpoint]")?.max) >= steps,
    STEPS,
  );
  console.log(`  all of them read from the events of the run in ${seconds(begin)} more`);
  await slider.focus();
  await page.keyboard.press("End");
  const box = await slider.boundingBox();
  const clickAt = async (part: number) =>
    page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * part, (box?.y ?? 0) + (box?.height ?? 0) / 2);
  const moves: Record<string, (time: number) => Promise<void>> = {
    "arrow key": () => page.keyboard.press("ArrowLeft"),
    "page down": () => page.keyboard.press("PageDown"),
    click: (time) => clickAt(0.9 - 0.77 * (time % 2) - time / 100),
  };
  for (const [name, move] of Object.entries(moves)) {
    const times: number[] = [];
    for (let time = 0; time < 9; time++) times.push(await timeMove(page, () => move(time)));
    console.log(`  ${name} to the state shown: first ${times[0]?.toFixed(1)} ms; ${timesText(times)}`);
  }
  await page.close();
}

/** Moves the slider. Returns the ms from the key or the pointer's press until the state of the checkpoint is painted. */
async function timeMove(page: Page, move: () => Promise<void>): Promise<number> {
  const before = await page.getByRole("slider", { name: "Checkpoint" }).inputValue();
  const painted = page.evaluate(
    ({ before, first }) =>
      window.meter.painted(() => {
        const value = document.querySelector<HTMLInputElement>("[aria-label=Checkpoint]")?.value;
        // Every second step begins a round.
        const round = first + Math.floor(Number(value) / 2);
        return value !== before && document.querySelector("[aria-label=round]")?.textContent === `round${round}`;
      }),
    { before, first: FIRST_ROUND },
  );
  await move();
  return (await painted) - (await page.evaluate(() => window.meter.acted));
}

async function post<T>(server: TestServer, path: string, body: object): Promise<T> {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  // The caller states the type that docs/api gives for the path.
  return (await response.json()) as T;
}
