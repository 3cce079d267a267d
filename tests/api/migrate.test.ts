/** Tests `npx graphlib migrate` as an operator types it: before servers start, and beside them. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sharingServers } from "../support/sharing-servers.ts";
import { useServer } from "../support/use-server.ts";

const COMMAND = resolve(import.meta.dirname, "../../lib/cli/graphlib.sh");
const app = resolve(import.meta.dirname, "apps/a2a");
const home = mkdtempSync(join(tmpdir(), "graphlib-migrate-"));
const sharing = await sharingServers(app, "migrate");
const server = useServer({ own: true });
afterAll(async () => {
  await sharing.close();
  rmSync(home, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function migrate(env: Record<string, string>, ...args: string[]): Promise<Ended> {
  const command = spawn(COMMAND, ["migrate", ...args], {
    env: { NODE_ENV: "test", PATH: process.env.PATH, GRAPHLIB_HOME: home, ...env },
  });
  const ended: Ended = { code: null, out: "", err: "" };
  command.stdout.on("data", (text: Buffer) => (ended.out += String(text)));
  command.stderr.on("data", (text: Buffer) => (ended.err += String(text)));
  return new Promise((done) => command.once("close", (code) => done({ ...ended, code })));
}

test("files of SQLite are migrated while no server has them open", async () => {
  expect(await migrate({})).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^The databases are those of Graphlib \d+\.\d+\.\d+: the platform\n$/),
  });
  const busy = await migrate({ GRAPHLIB_HOME: server.home });
  expect(busy).toMatchObject({ code: 1, out: "", err: expect.stringContaining("in use by another Graphlib server") });
  expect(busy.err).not.toContain("    at ");
});

test.runIf(sharing.isFound)("schemas of PostgreSQL are migrated before servers start, and beside them", async () => {
  expect(await migrate(sharing.env, "--json")).toMatchObject({
    code: 0,
    out: expect.stringContaining('"deployments":[]'),
  });
  const started = await sharing.start("api,run");
  expect(JSON.parse((await migrate(sharing.env, "--json")).out)).toMatchObject({ deployments: ["default"] });
  expect((await fetch(`${started.url}/ok`)).status).toBe(200);
});

test("what is wrong with the settings or the database is said in a sentence", async () => {
  expect(await migrate({ DATABASE_URL: "mysql://nowhere" })).toMatchObject({
    code: 1,
    err: expect.stringContaining("DATABASE_URL: expected postgres://"),
  });
  const away = await migrate({ DATABASE_URL: "postgres://nobody:the-password@127.0.0.1:9/none" });
  expect(away).toMatchObject({
    code: 1,
    err: expect.stringContaining("No connection to PostgreSQL at 127.0.0.1:9/none"),
  });
  expect(away.err).not.toContain("the-password");
});
