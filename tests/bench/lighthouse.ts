/**
 * `npm run bench:lighthouse [-- <room>…]` measures the rooms of the console with Lighthouse, at both widths. The network is
 * the one that Lighthouse simulates for desktops, and the processor is not slowed down. Lighthouse is fetched by `npx`,
 * because nothing else uses it. `BENCH_ROUNDS` (3) is that of `npm run bench`.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { BROWSER_ARGS, ensureBrowser } from "../support/browser.ts";
import { ROOMS } from "../support/rooms.ts";
import { seedRooms } from "../support/seed-rooms.ts";
import { startServer } from "../support/server.ts";
import { machineText } from "./machine.ts";
import { median, ROUNDS } from "./measure.ts";

const VERSION = "13.5.0";
const CATEGORIES = ["performance", "accessibility", "best-practices"];
const FIGURES = ["largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift"];
/** A page's event streams never end, so the network is never idle. */
const MOST_WAIT_MS = 9_000;
const WIDTHS = {
  "1350x940": [],
  "390x844": [
    "form-factor=mobile",
    "screenEmulation.mobile",
    "screenEmulation.width=390",
    "screenEmulation.height=844",
  ],
};

interface Report {
  /** Each score is from 0 to 1. */
  categories: Record<string, { score: number }>;
  audits: Record<string, { numericValue: number }>;
  /** The speed of the processor in a loop of Lighthouse, without a unit. A loaded machine has a lower one. */
  environment: { benchmarkIndex: number };
}

const run = promisify(execFile);

async function audit(url: string, browser: string, flags: readonly string[]): Promise<Report> {
  const all = [
    "preset=desktop",
    "output=json",
    "quiet",
    `only-categories=${CATEGORIES.join(",")}`,
    `max-wait-for-load=${MOST_WAIT_MS}`,
    `chrome-flags=--headless ${BROWSER_ARGS.join(" ")}`,
    ...flags,
  ];
  const command = ["--yes", `lighthouse@${VERSION}`, url, ...all.map((flag) => `--${flag}`)];
  const { stdout } = await run("npx", command, {
    env: { ...process.env, CHROME_PATH: browser },
    maxBuffer: 64 * 1024 * 1024,
  });
  // Lighthouse describes its output: https://github.com/GoogleChrome/lighthouse/blob/main/docs/understanding-results.md
  return JSON.parse(stdout) as Report;
}

const wanted = process.argv.slice(2);
const browser = await ensureBrowser();
if (browser === undefined) throw new Error("There is no browser to measure with.");
console.log(
  `${machineText(`Lighthouse ${VERSION}`)}; median of ${ROUNDS}: ${CATEGORIES.join(", ")}; ${FIGURES.join(" (ms), ")}; rate of the processor`,
);
const server = await startServer();
try {
  const seeded = await seedRooms(server);
  for (const { name, path } of ROOMS.filter((room) => wanted.length === 0 || wanted.includes(room.name))) {
    for (const [width, flags] of Object.entries(WIDTHS)) {
      const reports: Report[] = [];
      for (let round = 0; round < ROUNDS; round++) reports.push(await audit(server.url + path(seeded), browser, flags));
      const of = (pick: (report: Report) => number): number => median(reports.map(pick));
      const scores = CATEGORIES.map((id) => Math.round(100 * of(({ categories }) => categories[id]?.score ?? 0)));
      const figures = FIGURES.map((id) => of(({ audits }) => audits[id]?.numericValue ?? 0));
      const [paint = 0, blocked = 0, shift = 0] = figures;
      const rest = `${paint.toFixed(0).padStart(6)}${blocked.toFixed(0).padStart(6)}${shift.toFixed(3).padStart(7)}`;
      const rate = of(({ environment }) => environment.benchmarkIndex).toFixed(0);
      console.log(`${name.padEnd(16)}${width.padEnd(10)}${scores.join("/").padEnd(13)}${rest}${rate.padStart(7)}`);
    }
  }
} finally {
  await server.stop();
}
