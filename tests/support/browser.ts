import { spawn, spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { isDebian } from "./system-packages.ts";

/** The shell has no windows to draw, and takes a fifth less time for the tests. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const DOWNLOAD_LIMIT_MS = 240_000;

/** Flags that keep a headless Chromium from using a network that is not there. Its sandbox cannot start as root. */
export const BROWSER_ARGS = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

// `--version` also fails for what is no working browser: Ubuntu's snap stub, or a download whose system libraries are
// missing.
function answers(path: string): boolean {
  const result = spawnSync(path, ["--version"], { encoding: "utf8", timeout: 20_000 });
  return result.status === 0 && /chrom/i.test(result.stdout);
}

/** Returns the path of Playwright's own browser if it is installed and starts, else of one on the PATH. */
export function findBrowser(): string | undefined {
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [chromium.executablePath(), ...onPath].find(answers);
}

type Attempt = { name: string; steps: string[][] };

function attempts(): Attempt[] {
  const root = process.getuid?.() === 0;
  const debian: Attempt = {
    name: "Debian's chromium-headless-shell",
    steps: [
      ["apt-get", "update"],
      ["apt-get", "install", "-y", "--no-install-recommends", "chromium-headless-shell", "fonts-liberation"],
    ],
  };
  const withLibraries = root && process.platform === "linux" ? ["--with-deps"] : [];
  const playwright: Attempt = {
    name: "Playwright's Chromium",
    steps: [[process.execPath, "node_modules/@playwright/test/cli.js", "install", ...withLibraries, "chromium"]],
  };
  return root && isDebian() ? [debian, playwright] : [playwright];
}

/** Runs one command and resolves with its output; `failed` is set when it did not exit with 0 in time. */
function run([command = "", ...args]: string[]): Promise<{ failed: boolean; output: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"], timeout: DOWNLOAD_LIMIT_MS });
    let output = "";
    const keep = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.on("error", (cause) => resolve({ failed: true, output: `${output}${cause.message}\n` }));
    child.on("close", (code) => resolve({ failed: code !== 0, output }));
  });
}

async function install(attempt: Attempt): Promise<boolean> {
  const started = performance.now();
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  process.stdout.write(`Installing a browser (${attempt.name})… `);
  for (const step of attempt.steps) {
    const { failed, output } = await run(step);
    if (failed) {
      process.stdout.write(`failed after ${seconds()}: ${step.join(" ")}\n${output}`);
      return false;
    }
  }
  process.stdout.write(`${seconds()}\n`);
  return true;
}

/** Returns the path of a browser for the tests, and installs one when there is none. */
export async function ensureBrowser(): Promise<string | undefined> {
  let found = findBrowser();
  for (const attempt of attempts()) {
    if (found) break;
    if (await install(attempt)) found = findBrowser();
  }
  return found;
}

if (import.meta.main && !(await ensureBrowser())) {
  process.stderr.write(
    "No browser to test with. Install Chromium (Debian: apt-get install chromium; elsewhere: npx playwright install chromium), then run npm test again.\n",
  );
  process.exitCode = 1;
}
