import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, test } from "vitest";
import { makeRepository, serveGit } from "../support/git-server.ts";
import { startServer, type TestServer } from "../support/server.ts";

const COMMAND = resolve(import.meta.dirname, "../../lib/cli/graphlib.sh");
let server: TestServer;
let child: ChildProcess;
afterEach(async () => {
  child.kill();
  await server.stop();
});

/** Starts the command. `printed` resolves when the text was printed that many times. */
function graphlib(...args: string[]): {
  printed: (text: string, times?: number) => Promise<void>;
  ended: Promise<string>;
} {
  const env = { PATH: process.env.PATH, NODE_ENV: "test" as const, GRAPHLIB_URL: server.url };
  child = spawn(COMMAND, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const waiting = new Set<() => void>();
  const add = (text: string): void => {
    output += text;
    for (const look of waiting) look();
  };
  child.stdout?.setEncoding("utf8").on("data", add);
  child.stderr?.setEncoding("utf8").on("data", add);
  return {
    printed: (text, times = 1) =>
      new Promise((done) => {
        const look = (): void => {
          if (output.split(text).length > times) done();
        };
        waiting.add(look);
        look();
      }),
    ended: new Promise((done) => child.once("close", (code) => done(`${code}\n${output}`))),
  };
}

test("following a log continues over a restart of the server, without a repeated line", async () => {
  server = await startServer();
  const { printed, ended } = graphlib("logs", "default", "--follow", "--json");
  await printed('"text":"worker ready');
  const { home, url } = server;
  await server.crash();
  server = await startServer({ home, env: { PORT: new URL(url).port } });
  await printed('"text":"worker ready', 2);
  child.kill();
  const ids = [...(await ended).matchAll(/^\{"id":(\d+),/gm)].map(([, id]) => Number(id));
  expect(ids.length).toBeGreaterThan(1);
  expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
});

test("a build that is cancelled elsewhere ends the command that follows it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "graphlib-cli-follow-"));
  makeRepository(join(folder, "slow"), { "graphlib.json": "{}" });
  const git = await serveGit(folder);
  // No request is answered, so the build waits in its first step.
  git.before = () => true;
  server = await startServer();
  try {
    const { printed, ended } = graphlib("deploy", `${git.origin}/slow/.git`, "--follow");
    await printed("Revision 1 of slow");
    await fetch(`${server.url}/api/deployments/slow/revisions/1/cancel`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(await ended).toMatch(/^1\n[^]*Revision 1 of slow was cancelled\n$/);
  } finally {
    await git.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
