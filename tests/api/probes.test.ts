/** Tests what a server tells programs that watch it: from its start without a database to its end. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { Client } from "@langchain/langgraph-sdk";
import { resolve } from "node:path";
import { freePort } from "../support/free-port.ts";
import { startNetwork } from "../support/held-network.ts";
import { hasRedis, startRedis } from "../support/own-redis.ts";
import { sharingServers } from "../support/sharing-servers.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { useServer } from "../support/use-server.ts";

const app = resolve(import.meta.dirname, "apps/a2a");

async function ask({ url }: Pick<TestServer, "url">, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${url}${path}`, { headers });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe("a server alone", () => {
  const server = useServer({ own: true, env: { GRAPHLIB_API_KEY: "a-key-that-the-probes-do-not-have-000" } });

  test("is live and ready, and says so without a key and under any name", async () => {
    expect(await ask(server, "/livez")).toEqual({ status: 200, body: { live: true } });
    expect(await ask(server, "/readyz?verbose")).toEqual({
      status: 200,
      body: { ready: true, database: "ok", draining: false },
    });
    const head = await fetch(`${server.url}/readyz`, { method: "HEAD", headers: { host: "10.0.0.7" } });
    expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: "" });
    expect((await fetch(`${server.url}/readyz`, { method: "POST" })).status).not.toBe(200);
  });
});

const sharing = await sharingServers(app, "probes");
const redis = hasRedis() ? await startRedis() : undefined;
afterAll(async () => {
  await sharing.close();
  await redis?.remove();
});

describe.skipIf(!sharing.isFound)("a server that shares its database", () => {
  /** Starts a server whose way to the database is this one. */
  async function startBehind(url: string, env: Record<string, string> = {}) {
    const port = await freePort();
    const server = startServer({
      app,
      env: { ...sharing.env, GRAPHLIB_ROLES: "api,run", DATABASE_URL: url, PORT: String(port), ...env },
    });
    return { server, at: { url: `http://127.0.0.1:${port}` } };
  }

  test("waits for a database that is away when it starts, and is live meanwhile", async () => {
    const database = new URL(sharing.env.DATABASE_URL ?? "");
    const behind = new URL(database);
    const port = await freePort();
    behind.host = `127.0.0.1:${port}`;
    const { server, at } = await startBehind(behind.href);
    await expect
      .poll(() => ask(at, "/livez").catch(() => undefined), { timeout: 30_000 })
      .toMatchObject({ status: 200 });
    expect(await ask(at, "/readyz")).toEqual({
      status: 503,
      body: { ready: false, database: "away", draining: false },
    });
    expect(await (await fetch(`${at.url}/ok`)).text()).toBe("This server is starting. Try again in a moment.");
    await sleep(1_500);
    const network = await startNetwork(database.href, port);
    const started = await server;
    expect(started.errors()).toMatch(/No connection to PostgreSQL at 127\.0\.0\.1:\d+\/\w+ .*This server waits for it/);
    expect(started.errors().match(/waits for it/g)).toHaveLength(1);
    expect(await ask(at, "/readyz")).toMatchObject({ status: 200, body: { database: "ok", lease: "held" } });
    await started.stop();
    network.close();
  });

  test("is not ready while its database does not answer, and is ready without Redis", async () => {
    const network = await startNetwork(sharing.env.DATABASE_URL ?? "");
    const { server, at } = await startBehind(network.url, redis ? { REDIS_URL: redis.url } : {});
    const started = await server;
    if (redis) {
      await expect.poll(() => ask(at, "/readyz")).toMatchObject({ status: 200, body: { redis: "ok" } });
      await redis.stop();
      await expect
        .poll(() => ask(at, "/readyz"), { timeout: 20_000 })
        .toMatchObject({
          status: 200,
          body: { redis: "away" },
        });
    }
    network.loseAnswers();
    await expect
      .poll(() => ask(at, "/readyz"), { timeout: 30_000 })
      .toMatchObject({
        status: 503,
        body: { ready: false, database: "away", lease: "lost" },
      });
    expect(await ask(at, "/livez")).toMatchObject({ status: 200 });
    network.passAnswers();
    network.reset();
    await expect.poll(() => ask(at, "/readyz"), { timeout: 30_000 }).toMatchObject({ status: 200 });
    await started.stop();
    network.close();
  });

  test("that drains is not ready, still answers, and leaves new runs to others", async () => {
    const { server, at } = await startBehind(sharing.env.DATABASE_URL ?? "", { GRAPHLIB_DRAIN_SECONDS: "15" });
    const [drained, other] = [await server, await sharing.start("run")];
    const client = new Client({ apiUrl: at.url, apiKey: null });
    const ended = drained.drain();
    await expect.poll(() => ask(at, "/readyz")).toMatchObject({ status: 503, body: { ready: false, draining: true } });
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, "counts", { input: { messages: [{ role: "user", content: "late" }] } });
    const claims = await sharing.read<{ executor: string }>(
      (table) => `select executor from ${table("runs")} where thread_id = '${thread_id}'`,
    );
    const servers = await sharing.read<{ roles: string }>((table) =>
      `select roles from ${table("executors")} where executor_id = '${claims[0]?.executor}'`.replace(
        "_default",
        "_platform",
      ),
    );
    expect(servers).toEqual([{ roles: "run" }]);
    expect(await ended).toBe(0);
    expect(await ask(other, "/readyz")).toMatchObject({ status: 200 });
  });
});
