import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { json, raw, rawStream } from "../support/raw.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const RUN = { assistant_id: "echo", input: { messages: [{ role: "user", content: "hi" }] }, stream_mode: "values" };

/** Next starts no second `next dev` of a folder. It says so only after it has printed an address. */
const TAKEN = "Another next dev server is already running";

interface NextProcess {
  url: string;
  output(): string;
}

const stops: (() => Promise<void>)[] = [];

/** Starts Next by its own command on a free port. */
async function startNext(command: "start" | "dev"): Promise<NextProcess> {
  const home = await mkdtemp(join(tmpdir(), "graphlib-next-"));
  const child = spawn(process.execPath, ["node_modules/next/dist/bin/next", command, "-p", "0", "-H", "127.0.0.1"], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: command === "dev" ? "development" : "production",
      NEXT_TELEMETRY_DISABLED: "1",
      GRAPHLIB_HOME: join(home, "graphlib"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const ended = new Promise((done) => child.once("exit", done));
  stops.push(async () => {
    child.kill("SIGTERM");
    await ended;
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  });
  return await new Promise((found, failed) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const url = /Local:\s+(http:\/\/\S+)/.exec(output)?.[1];
        if (url) found({ url, output: () => output });
      });
    }
    void ended.then((code) => failed(new Error(`next ${command} ended with code ${String(code)}:\n${output}`)));
  });
}

describe.each(["start", "dev"] as const)("under `next %s` alone", (command) => {
  let next: NextProcess;
  let isTaken = false;
  // `next dev` compiles the routes with the first request.
  beforeAll(async () => {
    next = await startNext(command);
    const isReady = async (): Promise<boolean> => (await raw(`${next.url}/agents/default/ok`)).status === 200;
    while (!isTaken && !(await isReady().catch(() => false))) {
      isTaken = next.output().includes(TAKEN);
      await sleep(100);
    }
  });
  afterAll(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  it("routes of the API work", async ({ skip }) => {
    skip(isTaken, "stop the `next dev` of this folder to test this");
    const stream = await rawStream(`${next.url}/agents/default/runs/stream`, { body: JSON.stringify(RUN) });
    expect([stream.status, stream.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect((await stream.end()).map(({ event }) => event)).toEqual(["metadata", "values", "values"]);
    expect(stream.whole()).toBe(true);
    const refused = await raw(`${next.url}/agents/default/threads/search`, { body: `{"limit":-1}` });
    expect([refused.status, json<{ detail: string }>(refused).detail]).toEqual([422, expect.stringContaining("limit")]);
    const head = await raw(`${next.url}/agents/default/info`, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    expect((await raw(`${next.url}/api/deployments`)).status).toBe(200);
  });
});
