import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, untilState } from "../support/control.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { serverUsers } from "../support/users.ts";

const source = { type: "folder", path: join(import.meta.dirname, "apps", "quotas") };
const MB = 1024 * 1024;
/** Generous limits, which only a hanging test reaches. */
const LONG = { timeout: 200_000, interval: 100 };
const TEST_MS = 600_000;
// oxlint-disable-next-line no-control-regex
const COLOUR = /\u001B\[[0-9;:]*m/g;

async function deploy(server: TestServer, name: string, settings: object): Promise<void> {
  expect((await call(server, "POST", "/deployments", { name, source, settings })).status).toBe(201);
  await untilState(server, name, ["live"]);
}

/** Returns the result of a run, or an empty text when its process was ended. */
async function take(server: TestServer, name: string, ...operation: string[]): Promise<string> {
  const answer = await fetch(`${server.url}/agents/${name}/runs/wait`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ assistant_id: "hog", input: { take: operation } }),
  });
  const { got } = (await answer.json()) as { got?: string };
  return got ?? "";
}

async function logOf(server: TestServer, name: string): Promise<{ stream: string; text: string }[]> {
  return (await call<{ stream: string; text: string }[]>(server, "GET", `/deployments/${name}/log?after=-1&limit=5000`))
    .json;
}

async function textOf(server: TestServer, name: string): Promise<string> {
  return (await logOf(server, name)).map(({ text }) => text).join("\n");
}

describe.each(serverUsers)("the disk use of a deployment, on a server of $as,", ({ user }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ user, env: { GRAPHLIB_GRACE_SECONDS: "1" } });
    await deploy(server, "neighbour", {});
    await take(server, "neighbour", "fill", "20");
  });
  afterAll(async () => {
    await server.stop();
  });

  test.each([
    [
      "one large file",
      "large",
      ["fill", "64"],
      /worker ended: its files took \d+ MB, more than the setting scratch_mb, 16 MB/,
    ],
    ["files that nobody may list", "closed", ["closed", "24"], /worker ended: its files took \d+ MB/],
    ["a file that is deleted and open", "unlinked", ["unlinked", "64"], /worker ended: its files took \d+ MB/],
    ["many empty files", "many", ["files", "12000"], /worker ended: it made \d+ files/],
  ])(
    "above its quota ends the process: %s",
    async (_, name, operation, logLine) => {
      await deploy(server, name, { scratch_mb: 16 });
      await take(server, name, ...operation);
      await expect.poll(() => textOf(server, name), LONG).toMatch(logLine);
      const back = async (): Promise<string> => await take(server, name, "home").catch(() => "");
      await expect.poll(back, LONG).toContain("tmp");
      expect(await textOf(server, name)).toContain("its home and its temporary files were too large (scratch_mb)");
      expect(await back()).not.toMatch(/large|closed/);
      const page = await (await fetch(`${server.url}/deployments/${name}`)).text();
      expect(page).toContain("scratch_mb");
      expect(await take(server, "neighbour", "home")).toContain("large");
    },
    TEST_MS,
  );
});

describe("the output of a deployment", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
    await deploy(server, "hog", { log_mb: 1 });
  });
  afterAll(async () => {
    await server.stop();
  });

  test("has only characters and colours in the terminal and the log", async () => {
    await take(server, "hog", "escape");
    await expect.poll(() => server.output(), LONG).toContain("[hog] after");
    await expect.poll(() => server.output()).toContain("[hog] \u001B[31mred\u001B[0m over");
    await expect.poll(() => server.output()).toContain("[hog] link");
    for (const text of [server.output(), await textOf(server, "hog")]) {
      expect(text.replace(COLOUR, "")).not.toMatch(/[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/u);
    }
  });

  test(
    "is counted and dropped when it is a flood: other requests are answered, and the database stays small",
    async () => {
      const before = server.output().length;
      const flood = take(server, "hog", "flood", "60");
      let answers = 0;
      // The server reads the whole flood in time.
      while (!server.output().includes("[hog] the last line")) {
        expect((await fetch(`${server.url}/api/deployments`)).status).toBe(200);
        answers++;
        await sleep(50);
      }
      expect(await flood).toBe("taken");
      expect(answers).toBeGreaterThan(1);
      await expect.poll(() => textOf(server, "hog"), LONG).toMatch(/\([\d,]+ lines left out: /);
      expect(server.output().length - before).toBeLessThan(6 * MB);
      expect(statSync(join(server.home, "platform.sqlite")).size).toBeLessThan(10 * MB);
      const page = await (await fetch(`${server.url}/deployments/hog`)).text();
      expect(page).toContain("LogFlood");
      expect(Buffer.byteLength(JSON.stringify(await logOf(server, "hog")))).toBeLessThan(2 * MB);
    },
    TEST_MS,
  );

  test(
    "with many markers of a full heap does not block other requests",
    async () => {
      const flood = take(server, "hog", "fatal", "400000");
      expect((await fetch(`${server.url}/api/deployments`)).status).toBe(200);
      expect(await flood).toBe("taken");
    },
    TEST_MS,
  );
});
