/** Tests what code of a deployment reaches beyond its own files, with everything that its settings can allow. */
import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DeploymentRecord } from "../../lib/protocol/control.ts";
import { call } from "../support/control.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { serverUsers } from "../support/users.ts";
import { processesNaming, sleepers, workerOf } from "../support/workers.ts";
import { pathWithout } from "../support/without-program.ts";
import {
  archive,
  create,
  deploy,
  folder,
  headers,
  KEY,
  newest,
  type Operation,
  runOperation,
  tryOperations,
} from "./fence-app.ts";

const isLinux = process.platform === "linux";
/** Generous limits, which only a hanging test reaches. */
const LONG = { timeout: 200_000, interval: 100 };
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });
const SECRET = "platform-secret-0123456789";

describe.runIf(isLinux).each(serverUsers)("a server of $as:", ({ user }) => {
  let server: TestServer;
  const beside = join("/var/tmp", `graphlib-${process.pid}`);
  beforeAll(async () => {
    server = await startServer({
      user,
      env: {
        GRAPHLIB_API_KEY: KEY,
        PLATFORM_ONLY: SECRET,
        PUBLIC_URL: "https://agents.example.com",
        ALLOW_LOCAL_SOURCES: "1",
      },
    });
    await deploy(server, "hostile", await archive(server));
    await deploy(server, "neighbour", folder);
  });
  afterAll(async () => {
    await server.stop();
    await rm(beside, { force: true });
  });

  /** Files of the platform, of its user and of others, each with a folder beside it. */
  function files(): [path: string, beside: string][] {
    const { home, pid } = server;
    const known: [string, string][] = [
      [join(home, "platform.sqlite"), "deployments"],
      [join(home, "secret"), "deployments"],
      [join(home, "deployments/neighbour/database.sqlite"), "revisions"],
      [join(home, "deployments/neighbour/revisions/1/graph.mjs"), ".graphlib"],
      [`/proc/${pid}/environ`, "fd"],
    ];
    for (const [path] of known) if (!existsSync(path)) throw new Error(`${path} is not there`);
    return known;
  }

  test("files are not read by a path, by a link, by a process or by an addon", async () => {
    const operations = files().flatMap(([path, folderBeside]): Operation[] => [
      ["read", path],
      ["around", path, folderBeside],
      ["run", `cat ${path}`],
      ["run", `cat /proc/*/root${path}`],
      ["database", path],
    ]);
    const answers = await tryOperations(server, "hostile", operations);
    expect(answers.filter((answer) => "got" in answer)).toEqual([]);
  });

  test("its environment and its home folder are not readable", async () => {
    const home = user ? server.home : (process.env.HOME ?? "/root");
    const [environments, listed, ...folders] = await tryOperations(server, "hostile", [
      ["run", "cat /proc/[0-9]*/environ | tr '\\0' '\\n'"],
      ["run", "ls /proc | grep -c '^[0-9]' || true"],
      ["run", `ls -A ${home}`],
      ["run", "ls -A /home /root /var /srv /opt /run"],
      ["run", `ls -A ${server.home}/deployments/neighbour`],
    ]);
    expect(JSON.stringify(environments)).toContain("NODE_ENV");
    expect(JSON.stringify(environments)).not.toMatch(new RegExp(`${SECRET}|${KEY}`));
    expect(Number(listed && "got" in listed && listed.got)).toBeLessThan(10);
    const seen = folders.map((answer) => ("got" in answer ? answer.got : ""));
    expect(seen.join(" ")).not.toMatch(/platform\.sqlite|neighbour|secret|\.ssh|lib/);
  });

  test("only the temporary folder is written", async () => {
    const { home } = server;
    const places = [
      join(home, "stray"),
      join(home, "deployments/hostile/revisions/1/graph.mjs"),
      join(home, "deployments/neighbour/stray"),
      beside,
      "/usr/local/bin/stray",
      "/etc/stray",
      "/stray",
      "/dev/stray",
    ];
    const answers = await tryOperations(
      server,
      "hostile",
      places.map((place): Operation => ["run", `echo it-was-me >> ${place}`]),
    );
    // Its view of /tmp is memory of its own.
    const outside = answers.filter((_, at) => places[at]?.startsWith("/tmp/") === false);
    expect(outside.filter((answer) => "got" in answer)).toEqual([]);
    expect(places.filter((place) => existsSync(place) && readFileSync(place, "utf8").includes("it-was-me"))).toEqual(
      [],
    );
    expect(await runOperation(server, "hostile", "run", "echo kept > $TMPDIR/note; cat $TMPDIR/note")).toBe("kept\n");
    expect(await runOperation(server, "hostile", "run", "echo kept > /tmp/note; cat /tmp/note")).toBe("kept\n");
    expect(existsSync("/tmp/note")).toBe(false);
  });

  test("no process outside of the fence is reached", async () => {
    const pids = [server.pid, workerOf(server, "neighbour"), workerOf(server, "hostile")];
    const answers = await tryOperations(
      server,
      "hostile",
      pids.map((pid): Operation => ["run", `kill -0 ${pid}`]),
    );
    expect(answers.filter((answer) => "got" in answer)).toEqual([]);
  });
});

const fences = serverUsers.flatMap((one) => [
  { ...one, fenced: true, how: "with a fence" },
  { ...one, fenced: false, how: "without one" },
]);

describe.runIf(isLinux).each(fences)("a server of $as, $how:", ({ user, fenced }) => {
  test("40 processes that left their session and environment end with their deployment", async () => {
    const env = { GRAPHLIB_API_KEY: KEY, ...(!fenced && { PATH: await pathWithout("bwrap") }) };
    const server = await startServer({ user, env });
    const seconds = String(100_000 + Math.floor(Math.random() * 800_000));
    try {
      await deploy(server, "parent", folder);
      await deploy(server, "other", folder);
      await runOperation(server, "parent", "escape", "40", seconds);
      await expect.poll(() => sleepers(seconds).length, LONG).toBe(40);
      expect((await call(server, "POST", "/deployments/parent/stop", {}, headers)).status).toBe(200);
      await expect.poll(() => sleepers(seconds).length, LONG).toBe(0);
      expect(await runOperation(server, "other", "run", "echo there")).toBe("there\n");
      await runOperation(server, "other", "escape", "40", seconds);
      await expect.poll(() => sleepers(seconds).length, LONG).toBe(40);
      await server.crash();
      await expect.poll(() => sleepers(seconds).length, LONG).toBe(0);
    } finally {
      await server.stop();
    }
  });
});

test.runIf(isLinux && process.getuid?.() === 0)(
  "a process that kills all processes of its user ends with its deployment",
  async () => {
    const server = await startServer({ env: { GRAPHLIB_API_KEY: KEY, PATH: await pathWithout("bwrap") } });
    const seconds = String(100_000 + Math.floor(Math.random() * 800_000));
    try {
      await deploy(server, "fighter", folder);
      // Its own worker is killed too.
      const fight = `env -i setsid sh -c 'while :; do kill -9 -1; (exec sleep ${seconds}) & done' >/dev/null 2>&1 &`;
      await runOperation(server, "fighter", "run", fight).catch(() => "gone");
      // The fighting shell is never gone for a moment, as its sleepers are: they kill one another.
      await expect.poll(() => processesNaming(seconds), LONG).toEqual([]);
      await expect
        .poll(
          async () => (await call<DeploymentRecord>(server, "GET", "/deployments/fighter", undefined, headers)).json,
          LONG,
        )
        .toMatchObject({ status: "ready" });
    } finally {
      await server.stop();
    }
  },
);

describe.runIf(isLinux).each(serverUsers)("a server without a key of $as:", ({ user }) => {
  test("a process that has left its deployment's session cannot manage another deployment", async () => {
    const server = await startServer({ user });
    try {
      await deploy(server, "caller", folder);
      await deploy(server, "other", folder);
      const answer = await runOperation(server, "caller", "post", `${server.url}/api/deployments/other/stop`);
      expect(answer).toMatch(/^403 Code of a deployment may call deployments/);
      const twin = server.url.replace("127.0.0.1", "[::1]");
      expect(await runOperation(server, "caller", "post", `${twin}/api/deployments/other/stop`)).toMatch(/^403 Code/);
      const mapped = server.url.replace("127.0.0.1", "[::ffff:127.0.0.1]");
      // A server without a key does not accept that name.
      expect(await runOperation(server, "caller", "post", `${mapped}/api/deployments/other/stop`)).toMatch(/^421 /);
      expect((await call<DeploymentRecord>(server, "GET", "/deployments/other")).json.status).toBe("ready");
    } finally {
      await server.stop();
    }
  });
});

test.runIf(isLinux)("code that may start processes needs a key, or users of their own", async () => {
  const env = { GRAPHLIB_WORKER_UID_BASE: "0" };
  const server = await startServer({ env });
  try {
    for (const settings of [{ child_processes: true }, { addons: true }]) {
      const refused = await create(server, "foreign", await archive(server), settings);
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("Set GRAPHLIB_API_KEY")]);
    }
    await deploy(server, "foreign", await archive(server), {});
    const changed = await call(server, "PATCH", "/deployments/foreign", { settings: { child_processes: true } });
    expect([changed.status, changed.text]).toEqual([403, expect.stringContaining("Set GRAPHLIB_API_KEY")]);
  } finally {
    await server.stop();
  }
});

describe("where bubblewrap is not installed,", () => {
  const reachable = { GRAPHLIB_API_KEY: KEY, PUBLIC_URL: "https://agents.example.com", ALLOW_LOCAL_SOURCES: "1" };

  test("a reachable server refuses foreign code, unless its operator allows it", async () => {
    const PATH = await pathWithout("bwrap");
    let server = await startServer({ env: { ...reachable, PATH } });
    const { home } = server;
    try {
      const refused = await create(server, "foreign", await archive(server), {});
      expect([refused.status, refused.text]).toEqual([
        403,
        expect.stringMatching(/bubblewrap is not installed.*apt-get install bubblewrap.*GRAPHLIB_UNFENCED=allow/s),
      ]);
      await deploy(server, "own", folder, {});
      const changed = await call(server, "PATCH", "/deployments/own", { source: await archive(server) }, headers);
      expect(changed.status).toBe(403);
      await server.crash();
      server = await startServer({ home, env: { ...reachable, PATH, GRAPHLIB_UNFENCED: "allow" } });
      await deploy(server, "foreign", await archive(server), {});
      await server.crash();
      server = await startServer({ home, env: { ...reachable, PATH } });
      await expect.poll(async () => (await newest(server, "foreign"))?.state, LONG).toBe("failed");
      expect((await newest(server, "foreign"))?.problem?.message).toContain("bubblewrap is not installed");
      const shown = await call<DeploymentRecord>(server, "GET", "/deployments/foreign", undefined, headers);
      expect(shown.json.status).toBe("failed");
    } finally {
      await server.stop();
    }
  });

  test("a server that is not reachable runs it, with one line about its isolation", async () => {
    const server = await startServer({ env: { PATH: await pathWithout("bwrap"), GRAPHLIB_WORKER_UID_BASE: "0" } });
    try {
      await deploy(server, "foreign", await archive(server), {});
      await deploy(server, "another", folder, {});
      const line = /^.*Only Node's permission model isolates this code: bubblewrap is not installed.*$/gm;
      await expect.poll(() => server.output().match(line)).toHaveLength(1);
      const page = await fetch(`${server.url}/deployments/foreign`);
      expect(await page.text()).toContain("Weak isolation");
    } finally {
      await server.stop();
    }
  });
});
