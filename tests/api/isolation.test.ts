import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, untilState } from "../support/control.ts";
import { isAlive } from "../support/process-tree.ts";
import { sleepers, workerOf } from "../support/workers.ts";
import { startServer, type TestServer } from "../support/server.ts";

const app = join(import.meta.dirname, "apps", "prober");
const source = { type: "folder", path: app };
const isRoot = process.getuid?.() === 0;
/** Generous limits, which only a hanging test reaches. */
const LONG = { timeout: 200_000, interval: 100 };
const TEST_MS = 600_000;
const SECRET = "platform-secret-0123456789";
const NATIVE = join(import.meta.dirname, "../../node_modules/better-sqlite3/prebuilds");
const ADDON = join(NATIVE, `${process.platform}-${process.arch}.node`);

type Action = readonly [what: string, ...how: string[]];
type Outcome = { got: string } | { refused: string };

async function runActions(server: TestServer, name: string, actions: readonly Action[]): Promise<Outcome[]> {
  const client = new Client({ apiUrl: `${server.url}/agents/${name}`, apiKey: SECRET });
  const values = (await client.runs.wait(null, "probe", { input: { ask: actions } })) as { answers: Outcome[] };
  return values.answers;
}

async function runAction(server: TestServer, name: string, ...action: Action): Promise<Outcome> {
  const [answer] = await runActions(server, name, [action]);
  return answer ?? { refused: "no answer" };
}

async function resultOf(server: TestServer, name: string, ...action: Action): Promise<string> {
  const answer = await runAction(server, name, ...action);
  if ("got" in answer) return answer.got;
  throw new Error(answer.refused);
}

async function deploy(server: TestServer, name: string, body: object = {}): Promise<void> {
  const environment = { variables: { OF: name, NODE_OPTIONS: "--allow-fs-read=*", LD_PRELOAD: "" } };
  expect((await call(server, "POST", "/deployments", { name, source, environment, ...body })).status).toBe(201);
  await untilState(server, name, ["live"]);
}

/** Files of the platform and of others, which exist. */
function secretsOf({ home }: TestServer): string[] {
  const files = ["platform.sqlite", "secret", "deployments/neighbour/database.sqlite"];
  const paths = [...files, "deployments/neighbour/revisions/1/graph.mjs"].map((path) => join(home, path));
  for (const path of paths) if (!existsSync(path)) throw new Error(`${path} is not there`);
  return paths;
}

const servers: { how: string; env: Record<string, string> }[] = [
  { how: "as a user of its own, where the server is root", env: {} },
  { how: "as the server's user", env: { GRAPHLIB_WORKER_UID_BASE: "0" } },
];

describe.each(servers)("code of a deployment, $how,", ({ env }) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ env: { ...env, GRAPHLIB_GRACE_SECONDS: "1", PLATFORM_ONLY: SECRET } });
    await Promise.all([deploy(server, "prober"), deploy(server, "neighbour")]);
  });
  afterAll(async () => {
    await server.stop();
  });

  test("reads its own build, and writes only to its temporary folder", async () => {
    expect(await resultOf(server, "prober", "own", "graphlib.json")).toContain("probe");
    const scratch = join(server.home, "deployments", "prober", "scratch");
    expect(await resultOf(server, "prober", "scratch")).toBe(`${join(scratch, "tmp", "note")} kept`);
    const places = [server.home, join(server.home, "deployments/prober/revisions/1"), app, "/tmp", "/var/tmp"];
    const answers = await runActions(
      server,
      "prober",
      places.map((place): Action => ["write", join(place, "stray")]),
    );
    expect(answers).toEqual(places.map(() => ({ refused: "ERR_ACCESS_DENIED" })));
  });

  test("reads no file of the platform or of another deployment, by any means", async () => {
    const ways = ["read", "link", "database", "thread"];
    const actions = secretsOf(server).flatMap((path) => ways.map((way): Action => [way, path]));
    const listed = [server.home, join(server.home, "deployments"), join(server.home, "deployments/neighbour")];
    const answers = await runActions(server, "prober", [...actions, ...listed.map((path): Action => ["list", path])]);
    expect(answers.filter((answer) => "got" in answer)).toEqual([]);
  });

  test("sees nothing of the platform's environment, in its own or its parent's", async () => {
    const environment = JSON.parse(await resultOf(server, "prober", "environment")) as Record<string, string>;
    expect(environment).toMatchObject({ OF: "prober", NODE_ENV: "production" });
    expect(environment.HOME).toBe(join(server.home, "deployments", "prober", "scratch"));
    expect(environment).not.toHaveProperty("NODE_OPTIONS");
    expect(JSON.stringify(environment)).not.toContain(SECRET);
    expect(Object.keys(environment).filter((name) => /^(?:npm_|VITEST|GRAPHLIB_(?!WORKER$))/.test(name))).toEqual([]);
    expect(await runAction(server, "prober", "parent")).toEqual({ refused: "ERR_ACCESS_DENIED" });
  });

  test("starts no process and no thread, and loads no addon, unless its settings allow it", async () => {
    expect(
      await runActions(server, "prober", [
        ["run", "id"],
        ["thread", ADDON],
        ["addon", ADDON],
      ]),
    ).toEqual([{ refused: "ERR_ACCESS_DENIED" }, { refused: "ERR_ACCESS_DENIED" }, { refused: "ERR_DLOPEN_DISABLED" }]);
    await deploy(server, "allowed", { settings: { child_processes: true, addons: true } });
    const [ran, , loaded] = await runActions(server, "allowed", [["run", "echo ran"], ["user"], ["addon", ADDON]]);
    expect(ran).toEqual({ got: "ran\n" });
    expect(loaded).toHaveProperty("got");
  });

  test("opens no debugger, neither in the platform nor in a neighbour", async () => {
    const pids = [String(server.pid), String(workerOf(server, "neighbour"))];
    // The signal does not arrive, or the process ignores it, so nothing listens at the debugger's port.
    const refusal = { refused: expect.stringMatching(/^(ESRCH|EPERM|ECONNREFUSED)$/) };
    for (const pid of pids) expect(await runAction(server, "prober", "debugger", pid)).toEqual(refusal);
  });

  test("calls deployments, and not the control plane", async () => {
    const manages = [
      "/api/deployments",
      "/api/deployments/neighbour/environment",
      "/agents/%2e%2e/api/deployments",
      "/",
    ];
    const actions = ["/agents/neighbour/ok", ...manages].map((path): Action => ["fetch", server.url + path]);
    const [neighbour, ...others] = await runActions(server, "prober", actions);
    expect(neighbour).toEqual({ got: '200 {"ok":true}' });
    const refusal = { got: expect.stringMatching(/^403 Code of a deployment may call deployments/) };
    expect(others).toEqual(manages.map(() => refusal));
    const { port } = new URL(server.url);
    expect(await runAction(server, "prober", "post", port, "/api/deployments/neighbour/stop")).toEqual({ got: "sent" });
    const shown = await call<{ status: string }>(server, "GET", "/deployments/neighbour");
    expect([shown.status, shown.json.status]).toEqual([200, "ready"]);
  });

  test("has schemas from its TypeScript types", async () => {
    const client = new Client({ apiUrl: `${server.url}/agents/prober` });
    const { input_schema } = await client.assistants.getSchemas("types");
    expect(input_schema, server.output()).toMatchObject({
      properties: { mood: { type: "string", enum: ["calm", "busy"] } },
    });
  });

  test(
    "is ended with all its processes, when it ends and when the platform is killed",
    async () => {
      await deploy(server, "parent", { settings: { child_processes: true } });
      const seconds = String(100_000 + Math.floor(Math.random() * 800_000));
      await resultOf(server, "parent", "leave", seconds);
      await expect.poll(() => sleepers(seconds).length, LONG).toBe(1);
      process.kill(workerOf(server, "parent"), "SIGKILL");
      await expect.poll(() => sleepers(seconds), LONG).toEqual([]);
      const back = async (): Promise<boolean> => (await fetch(`${server.url}/agents/parent/ok`)).ok;
      await expect.poll(back, LONG).toBe(true);
      await resultOf(server, "parent", "leave", seconds);
      await expect.poll(() => sleepers(seconds).length, LONG).toBe(1);
      const pids = [...sleepers(seconds), workerOf(server, "parent"), workerOf(server, "prober")];
      expect(pids.map(isAlive)).toEqual([true, true, true]);
      const { home } = server;
      await server.crash();
      await expect.poll(() => pids.filter(isAlive), LONG).toEqual([]);
      server = await startServer({ home, env });
      expect(await resultOf(server, "prober", "own", "graphlib.json")).toContain("probe");
    },
    TEST_MS,
  );
});

describe.runIf(isRoot)("where the server is root,", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
    await Promise.all([
      deploy(server, "prober", { settings: { child_processes: true, addons: true } }),
      deploy(server, "neighbour", { settings: { child_processes: true } }),
    ]);
  });
  afterAll(async () => {
    await server.stop();
  });

  test("each deployment has a user of its own, who reads nothing of others even without the permission model", async () => {
    const users = [await resultOf(server, "prober", "user"), await resultOf(server, "neighbour", "user")];
    expect(new Set([...users, "0"]).size).toBe(3);
    const commands = secretsOf(server).map((path): Action => ["run", `cat ${path}`]);
    const neighbour = workerOf(server, "neighbour");
    const more = [
      // The fence shows the path to its own folder.
      `ls ${server.home} | grep -v "^deployments$"`,
      `ls ${server.home}/deployments/neighbour`,
      `cat /proc/${server.pid}/environ`,
      `cat /proc/${neighbour}/environ`,
      `kill -9 ${neighbour}`,
      `kill -9 ${server.pid}`,
    ].map((command): Action => ["run", command]);
    const answers = await runActions(server, "prober", [...commands, ...more]);
    expect(answers.filter((answer) => "got" in answer)).toEqual([]);
    for (const name of ["platform.sqlite", "secret", "console-code"]) {
      expect(statSync(join(server.home, name)).mode & 0o777).toBe(0o600);
    }
  });
});

test(
  "a process that takes more memory than its limit is ended and started again",
  async () => {
    const server = await startServer();
    try {
      await deploy(server, "hungry", { settings: { memory_mb: 64 } });
      const before = workerOf(server, "hungry");
      expect(await resultOf(server, "hungry", "grow", "500")).toBe("grown");
      const log = async (): Promise<string> => (await call(server, "GET", "/deployments/hungry/log?after=-1")).text;
      await expect.poll(log, LONG).toMatch(/worker ended: it took \d+ MB of memory, more than the 352 MB/);
      const back = async (): Promise<boolean> => (await fetch(`${server.url}/agents/hungry/ok`)).ok;
      await expect.poll(back, LONG).toBe(true);
      expect(workerOf(server, "hungry")).not.toBe(before);
    } finally {
      await server.stop();
    }
  },
  TEST_MS,
);
