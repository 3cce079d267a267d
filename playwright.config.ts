import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { isSlow, SLOW_TIMEOUT_MS } from "./tests/e2e/slow-browser.ts";
import { BROWSER_ARGS, findBrowser } from "./tests/support/browser.ts";

// This file is read again in every worker process: what the first reading chose travels in the environment.
const chosen = process.env.GRAPHLIB_BROWSER_TESTS;
const { port, home, browser } = chosen ? parse(chosen) : await choose();

type Choice = { port: number; home: string; browser: string };

function parse(text: string): Choice {
  // Written by choose() below, in the process that started this one.
  return JSON.parse(text) as Choice;
}

async function choose(): Promise<Choice> {
  const found = findBrowser();
  if (!found) throw new Error("No browser to test with: run `node tests/support/browser.ts`, which installs one.");
  const folder = mkdtempSync(join(tmpdir(), "graphlib-browser-tests-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const choice = { port: await freePort(), home: folder, browser: found };
  process.env.GRAPHLIB_BROWSER_TESTS = JSON.stringify(choice);
  return choice;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const free = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(free));
    });
  });
}

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results/browser",
  forbidOnly: true,
  retries: 0,
  workers: 2,
  // Only what hangs comes near these: no test depends on speed.
  timeout: isSlow ? SLOW_TIMEOUT_MS : 120_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: { executablePath: browser, args: BROWSER_ARGS },
    screenshot: "only-on-failure",
  },
  webServer: {
    command: `"${process.execPath}" lib/server.ts`,
    url: `http://127.0.0.1:${port}/ok`,
    env: { PORT: String(port), HOST: "127.0.0.1", GRAPHLIB_HOME: home, DATABASE_URL: "" },
    timeout: 60_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: "SIGTERM", timeout: 5_000 },
    stdout: "ignore",
    stderr: "pipe",
  },
});
