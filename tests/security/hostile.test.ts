import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, untilState } from "../support/control.ts";
import { startCalls } from "../support/background-calls.ts";
import { ORDINARY_USER, startServer, type TestServer } from "../support/server.ts";

const apps = join(import.meta.dirname, "apps");
const isRoot = process.getuid?.() === 0;
const KEY = "the-key-of-this-server-0123456789-abcdef";
const TEST_MS = 600_000;

/** Each attack goes on for three seconds, or ends its own process. */
const attacks = [
  "ready",
  "numbers",
  "garbage",
  "questions",
  "memory",
  "endless",
  "print",
  "disk",
  "heap",
  "loop",
  "rejections",
  "connections",
  "calls",
  "processes",
  "exit",
  "abort",
  "parent",
];

interface ServerSetup {
  how: string;
  env: Record<string, string>;
  headers: Record<string, string>;
  user?: typeof ORDINARY_USER;
}
const servers: ServerSetup[] = [
  { how: "without a key", env: {}, headers: {} },
  {
    how: "as an ordinary user, with a key",
    env: { GRAPHLIB_API_KEY: KEY },
    headers: { "x-api-key": KEY },
    user: isRoot ? ORDINARY_USER : undefined,
  },
];

describe.each(servers)("beside a hostile deployment, $how,", ({ env, headers, user }) => {
  let server: TestServer;
  const port = (): number => Number(new URL(server.url).port);

  const deploy = async (name: string, body: object): Promise<void> => {
    const created = await call(server, "POST", "/deployments", { name, ...body }, headers);
    expect(created).toMatchObject({ status: 201 });
    await untilState(server, name, ["live"], headers);
  };
  /** Resolves with the answer of the attack's run, also when its process ends. */
  const attack = async (name: string, paths: string[] = []): Promise<string> => {
    const input = { attack: name, paths, port: port() };
    const body = JSON.stringify({ assistant_id: "attack", input });
    const answer = await fetch(`${server.url}/agents/hostile/runs/wait`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    return await answer.text();
  };
  /** Waits for the worker, which is restarted a few times by itself and must then be started by a request. */
  const recovered = async (): Promise<void> => {
    for (;;) {
      const answer = await fetch(`${server.url}/agents/hostile/ok`);
      if (answer.ok) return;
      if ((await answer.text()).includes('"failed"')) {
        for (const what of ["stop", "start"]) await call(server, "POST", `/deployments/hostile/${what}`, {}, headers);
      }
      await sleep(100);
    }
  };

  beforeAll(async () => {
    server = await startServer({ env: { ...env, GRAPHLIB_GRACE_SECONDS: "1" }, user });
    await deploy("quiet", { source: { type: "folder", path: join(apps, "quiet") } });
    await deploy("hostile", { source: { type: "folder", path: join(apps, "hostile") }, settings: { memory_mb: 128 } });
  }, TEST_MS);
  afterAll(async () => {
    await server.stop();
  });

  test(
    "all other requests are answered during every attack",
    async () => {
      const calls = startCalls(server.url, { deployment: "quiet", headers, pauseMs: 20 });
      for (const name of attacks) {
        await attack(name);
        await recovered();
      }
      const { unexpected, durations } = await calls.stop();
      expect(unexpected).toEqual([]);
      expect(durations.length).toBeGreaterThan(attacks.length);
    },
    TEST_MS,
  );

  test("it reads only its own files", async () => {
    await recovered();
    const paths = [
      join(server.home, "secret"),
      join(server.home, "platform.sqlite"),
      join(server.home, "deployments/quiet/database.sqlite"),
      join(server.home, "deployments/quiet/revisions/1/graph.mjs"),
      `/proc/${server.pid}/environ`,
      "/etc/shadow",
    ];
    const { answers } = JSON.parse(await attack("files", paths)) as { answers: string[] };
    expect(answers).toHaveLength(2 * paths.length);
    expect(answers.filter((answer) => !answer.startsWith("no: "))).toEqual([]);
  });
});
