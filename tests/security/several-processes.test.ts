/** Processes of one deployment share a user and a folder. With and without bubblewrap, each ends alone. */
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openGate } from "../api/gate.ts";
import { call, untilState } from "../support/control.ts";
import { raw } from "../support/raw.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { serverUsers } from "../support/users.ts";
import { pathWithout } from "../support/without-program.ts";
import { workersOf } from "../support/workers.ts";

const WORKERS = 2;
const TEST_MS = 300_000;
const LONG = { timeout: 200_000, interval: 100 };
const apps = join(import.meta.dirname, "apps");
const servers = serverUsers.flatMap((user) => ["bubblewrap", "no bubblewrap"].map((fence) => ({ ...user, fence })));

describe.each(servers)("two processes of a deployment, on a server of $as with $fence,", ({ user, fence }) => {
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    const PATH = fence === "bubblewrap" ? (process.env.PATH ?? "") : await pathWithout("bwrap");
    server = await startServer({ user, env: { PATH, GRAPHLIB_GRACE_SECONDS: "1" } });
    folder = mkdtempSync(join(tmpdir(), "graphlib-several-"));
    // An ordinary user reads it too.
    chmodSync(folder, 0o755);
    cpSync(join(apps, "../../api/apps/several/graphs.mjs"), join(folder, "where.mjs"));
    cpSync(join(apps, "quotas/graph.mjs"), join(folder, "hog.mjs"));
    const graphs = { where: "./where.mjs:where", hog: "./hog.mjs:hog" };
    writeFileSync(join(folder, "graphlib.json"), JSON.stringify({ graphs }));
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const deploy = async (name: string): Promise<void> => {
    const source = { type: "folder", path: folder };
    const settings = { workers: WORKERS, scratch_mb: 16 };
    expect((await call(server, "POST", "/deployments", { name, source, settings })).status).toBe(201);
    await untilState(server, name, ["live"]);
    await expect.poll(() => readyIn(name, 2), LONG).toBe(true);
  };
  const logOf = async (name: string): Promise<string> =>
    (await call<{ text: string }[]>(server, "GET", `/deployments/${name}/log?after=-1`)).json
      .map(({ text }) => text)
      .join("\n");
  const readyIn = async (name: string, process: number): Promise<boolean> =>
    (await logOf(name)).includes(`process ${process} of ${WORKERS}: worker ready`);
  const run = async (name: string, graph: string, input: object): Promise<string> => {
    const body = JSON.stringify({ assistant_id: graph, input });
    return (await raw(`${server.url}/agents/${name}/runs/wait`, { body })).text;
  };

  test(
    "of which one is killed: the other one and its runs go on",
    async () => {
      await deploy("two");
      const pids = workersOf(server, "two");
      expect(pids).toHaveLength(WORKERS);
      const gate = await openGate();
      const runs = pids.map(() => run("two", "where", { gate: gate.url }));
      await gate.counted(WORKERS);
      const [victim = 0, survivor = 0] = pids;
      process.kill(victim, "SIGKILL");
      const lost = await Promise.race(runs);
      expect(lost).toContain("WorkerCrashed");
      await expect.poll(() => workersOf(server, "two").length, LONG).toBe(WORKERS);
      expect(workersOf(server, "two")).toContain(survivor);
      gate.open();
      const ends = await Promise.all(runs);
      expect(ends.filter((text) => text.includes('"name"'))).toHaveLength(1);
      await gate.close();
    },
    TEST_MS,
  );

  test(
    "whose files are too large end both, and start with one empty folder",
    async () => {
      await deploy("full");
      await run("full", "hog", { take: ["fill", "64"] }).catch(() => "");
      const ended = (process: number): RegExp =>
        new RegExp(`process ${process} of 2: worker ended: its files took \\d+ MB, more than the setting scratch_mb`);
      await expect.poll(() => logOf("full"), LONG).toMatch(ended(1));
      await expect.poll(() => logOf("full"), LONG).toMatch(ended(2));
      const home = async (): Promise<string> => await run("full", "hog", { take: ["home"] }).catch(() => "");
      await expect.poll(home, LONG).toContain("tmp");
      expect(await home()).not.toContain("large");
      expect((await logOf("full")).split("they were deleted").length - 1).toBe(1);
    },
    TEST_MS,
  );
});
